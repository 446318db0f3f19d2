/* SPDX-License-Identifier: MIT */
#include "parsers/stamp_words.h"

#include <string.h>

#include "parsers/scan.h"

/* English, German, French, Spanish, Portuguese, Italian, Dutch, Swedish, Danish, Norwegian,
 * Polish, Czech, Russian, Turkish: abbreviations of date(1) and full names, lower case. Croatian is
 * left out: its "lis" and "srp" are other months than the Polish and Czech ones. */
static const char *const months[12] = {
    "jan january januar janvier janv ene enero janeiro gen gennaio januari sty stycznia led ledna "
    "янв января oca ocak",
    "feb february februar février févr fevr fév fevereiro fev febrero febbraio februari lut lutego "
    "úno února фев февр февраля şub şubat",
    "mar march märz mär mrz mars marzo março maart mrt marca bře března мар марта mart",
    "apr april avril avr abr abril aprile kwi kwietnia dub dubna апр апреля nis nisan",
    "may mai mayo maio maggio mag mei maj maja kvě května май мая mayıs",
    "jun june juni juin junio junho giu giugno cze czerwca čer čvn června июн июня haz haziran",
    "jul july juli juil juillet julio julho lug luglio lip lipca čvc července июл июля tem temmuz",
    "aug august août aoû ago agosto augustus augusti sie sierpnia srp srpna авг августа ağu "
    "ağustos",
    "sep sept september septembre septiembre set setembro settembre wrz września zář září сен сент "
    "сентября eyl eylül",
    "oct october okt oktober octobre octubre out outubro ott ottobre paź października říj října "
    "окт "
    "октября eki ekim",
    "nov november novembre noviembre novembro lis listopada ноя нояб ноября kas kasım",
    "dec december dez dezember décembre déc dic diciembre dezembro dicembre gru grudnia pro "
    "prosince "
    "дек декабря des desember ara aralık",
};

static const char weekdays[] =
    "sun mon tue wed thu fri sat sunday monday tuesday wednesday thursday friday saturday tues "
    "thur "
    "thurs so mo di mi do fr sa sonntag montag dienstag mittwoch donnerstag freitag samstag "
    "sonnabend "
    "dim lun mar mer jeu ven sam dimanche lundi mardi mercredi jeudi vendredi samedi "
    "dom mié mie jue vie sáb sab domingo lunes martes miércoles jueves viernes sábado "
    "seg ter qua qui sex segunda terça quarta quinta sexta gio domenica lunedì martedì mercoledì "
    "giovedì venerdì sabato zo ma wo vr za zondag maandag dinsdag woensdag donderdag vrijdag "
    "zaterdag "
    "sön mån tis ons tor fre lör søn man tir lør nie pon wto śro czw pią sob nd pn wt śr cz pt "
    "ne po út st čt pá вс пн вт ср чт пт сб paz pzt sal çar per cum cmt";

struct zone {
    const char *name;
    int minutes; /* east of UTC */
};

static const struct zone zones[] = {
    {"UTC", 0},     {"GMT", 0},     {"UT", 0},     {"WET", 0},     {"WEST", 60},  {"CET", 60},
    {"CEST", 120},  {"MEZ", 60},    {"MESZ", 120}, {"EET", 120},   {"EEST", 180}, {"MSK", 180},
    {"TRT", 180},   {"SAST", 120},  {"CAT", 120},  {"EAT", 180},   {"WAT", 60},   {"IDT", 180},
    {"PKT", 300},   {"NPT", 345},   {"ICT", 420},  {"WIB", 420},   {"WITA", 480}, {"WIT", 540},
    {"HKT", 480},   {"SGT", 480},   {"PHT", 480},  {"AWST", 480},  {"JST", 540},  {"KST", 540},
    {"ACST", 570},  {"ACDT", 630},  {"AEST", 600}, {"AEDT", 660},  {"NZST", 720}, {"NZDT", 780},
    {"BRT", -180},  {"ART", -180},  {"CLT", -240}, {"CLST", -180}, {"ADT", -180}, {"EST", -300},
    {"EDT", -240},  {"CDT", -300},  {"MST", -420}, {"MDT", -360},  {"PST", -480}, {"PDT", -420},
    {"AKST", -540}, {"AKDT", -480}, {"HST", -600}, {"NDT", -150},  {"NST", -210},
};

/* China, Central America, Cuba; India, Israel, Ireland; Britain, Bangladesh; Arabia, Atlantic ...
 */
static const char ambiguous[] = "CST IST BST AST AMT ECT GST SST WST AMST COT PYT LMT";

/* True when the blank-separated list holds the word. */
static bool in_list(const char *list, const char *word, size_t length)
{
    while (*list) {
        size_t n = strcspn(list, " ");
        if (n == length && memcmp(list, word, n) == 0)
            return true;
        list += n;
        list += *list == ' ';
    }
    return false;
}

#define LONGEST_WORD 24

/* Lower case of ASCII, Latin-1 letters and Cyrillic; a trailing point goes. 0: too long. */
static size_t fold(const char *word, size_t length, char folded[LONGEST_WORD])
{
    if (length && word[length - 1] == '.')
        length--;
    if (length == 0 || length > LONGEST_WORD)
        return 0;
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)word[i];
        if (c < 'A')
            return 0; /* digits and marks: no word, found out before the lists are searched */
        unsigned char before = i ? (unsigned char)folded[i - 1] : 0;
        if (c >= 'A' && c <= 'Z')
            c = (unsigned char)(c + 32);
        else if (before == 0xC3 && c >= 0x80 && c <= 0x9E)
            c = (unsigned char)(c + 32); /* À..Þ */
        else if (before == 0xD0 && c >= 0x90 && c <= 0x9F)
            c = (unsigned char)(c + 32); /* А..П */
        if (before == 0xD0 && c >= 0xA0 && c <= 0xAF) {
            folded[i - 1] = (char)0xD1; /* Р..Я */
            c = (unsigned char)(c - 32);
        }
        folded[i] = (char)c;
    }
    return length;
}

int ja_month_word(const char *word, size_t length)
{
    char folded[LONGEST_WORD];
    size_t n = fold(word, length, folded);
    for (int month = 0; n && month < 12; month++)
        if (in_list(months[month], folded, n))
            return month + 1;
    return 0;
}

bool ja_weekday_word(const char *word, size_t length)
{
    char folded[LONGEST_WORD];
    size_t n = fold(word, length, folded);
    return n && in_list(weekdays, folded, n);
}

enum ja_zone_kind ja_zone_word(const char *word, size_t length, int *ret_offset_s)
{
    for (size_t i = 0; i < sizeof zones / sizeof zones[0]; i++) {
        if (ja_text_is(word, length, zones[i].name)) {
            *ret_offset_s = zones[i].minutes * 60;
            return JA_ZONE_UNIQUE;
        }
    }
    return length && in_list(ambiguous, word, length) ? JA_ZONE_AMBIGUOUS : JA_ZONE_NOT;
}

# Homebrew formula. Before a release there is nothing to download: the zeros of sha256 stand until
# packaging/source-tarball has made the tarball of the tagged commit and printed its SHA-256; the
# tarball is then attached to the release under the name in url.
class JetsamAudit < Formula
  desc "Offline forensic analyzer of memory evidence"
  homepage "https://github.com/jetsam-audit/jetsam-audit"
  url "https://github.com/jetsam-audit/jetsam-audit/releases/download/v0.1.0/jetsam-audit-0.1.0.tar.gz"
  sha256 "0000000000000000000000000000000000000000000000000000000000000000"
  license "MIT"

  depends_on "cmake" => :build
  depends_on "pkgconf" => :build
  depends_on "cjson"
  depends_on "libxlsxwriter"
  depends_on "openssl@3"
  depends_on "pcre2"

  def install
    system "cmake", "-S", ".", "-B", "build", "-DBUILD_TESTING=OFF",
           "-DOPENSSL_ROOT_DIR=#{Formula["openssl@3"].opt_prefix}", *std_cmake_args
    system "cmake", "--build", "build"
    system "cmake", "--install", "build"
  end

  test do
    (testpath/"status").write <<~EOS
      Name:\tsample
      Pid:\t4242
      VmRSS:\t    2048 kB
    EOS
    assert_match "\"pid\":4242", shell_output("#{bin}/jetsam-audit --json #{testpath}/status")
  end
end

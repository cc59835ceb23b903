# To be sourced: apt with a state of its own below a folder, for packages of another architecture and for sources. No root is
# needed, and the system's apt is left as it is.
#   private_apt_state WORK TYPE [OPTION]   makes it in WORK; TYPE is deb or deb-src, OPTION one of sources.list: arch=arm64
#   private_apt PROGRAM ARGUMENT...        apt-get or apt-cache with it

private_apt_state() {
  private_apt_work=$1
  mkdir -p "$1/lists/partial" "$1/cache/archives/partial"
  : >"$1/status"
  # The mirrors are those of the package lists that apt has; so is the release.
  private_apt_keyring=/usr/share/keyrings/debian-archive-keyring.gpg
  private_apt_options=${3:-}
  [ ! -e "$private_apt_keyring" ] || private_apt_options="$private_apt_options signed-by=$private_apt_keyring"
  apt-get indextargets --format "$2 ${private_apt_options:+[$private_apt_options] }\$(REPO_URI) \$(RELEASE) \$(COMPONENT)" \
    'Created-By: Packages' | sort -u >"$1/sources.list"
  [ -s "$1/sources.list" ] || { echo "private_apt: apt has no package lists; run apt-get update first" >&2; return 1; }
}

private_apt() {
  "$@" -o Dir::State="$private_apt_work" -o Dir::State::status="$private_apt_work/status" \
    -o Dir::State::lists="$private_apt_work/lists" -o Dir::Cache="$private_apt_work/cache" \
    -o Dir::Etc::sourcelist="$private_apt_work/sources.list" -o Dir::Etc::sourceparts=- \
    -o APT::Sandbox::User="$(id -un)" -o Acquire::Retries=3 </dev/null
}

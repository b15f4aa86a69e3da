# Sourced after parts.sh: builds images with buildah, podman or docker. Sets `epoch`, the time of all files in them.
builder_name='' # set by find_builder
cache=${XDG_CACHE_HOME:-$HOME/.cache}/aardappel
epoch=${SOURCE_DATE_EPOCH:-$(date -u -d "$(sed -n \
  's|.*<project.build.outputTimestamp>\(.*\)</project.build.outputTimestamp>.*|\1|p' "$root/pom.xml")" +%s)}
local_base=localhost/aardappel-java:$(uname -m)

# Neither daemon nor user namespaces are asked for, and the storage is ours: nothing is left among the machine's own
# images.
builder() {
  case $builder_name in
    docker) docker "$@" ;;
    *)
      "$builder_name" --storage-driver vfs --root "$cache/images" \
        --runroot "${TMPDIR:-/tmp}/aardappel-images-$(id -u)" "$@"
      ;;
  esac
}

find_builder() {
  local candidate
  for candidate in ${BUILDER:-buildah podman docker}; do
    builder_name=$candidate
    if command -v "$candidate" >/dev/null 2>&1 && builder info >/dev/null 2>&1; then
      return
    fi
  done
  echo "SKIPPED: none of ${BUILDER:-buildah, podman, docker} works on this machine." \
    "On Debian and Ubuntu: apt-get install buildah"
  exit 75
}

# settle FOLDER: what file systems and users add to files is taken away.
settle() {
  find "$1" -type d -exec chmod 755 {} +
  find "$1" -type f ! -perm -u+x -exec chmod 644 {} +
  find "$1" -type f -perm -u+x -exec chmod 755 {} +
  find "$1" -exec touch -h -d "@$epoch" {} +
}

# build_image NAME OUT FOLDER CONTAINERFILE OPTION...: an OCI archive, or an image in the storage alone when OUT is
# empty.
build_image() {
  local name=$1 out=$2 folder=$3 file=$4
  shift 4
  if [ "$builder_name" = docker ]; then
    build_with_docker "$name" "$out" "$folder" "$file" "$@"
    return
  fi
  local platforms=()
  [ -z "${PLATFORMS:-}" ] || [ -z "$out" ] || platforms=(--platform "$PLATFORMS" --manifest "$name")
  # What bears the name from before may be of the other sort, an image or an index, which is not replaced.
  builder manifest rm "$name" >/dev/null 2>&1 || builder rmi --force "$name" >/dev/null 2>&1 || true
  [ "${#platforms[@]}" != 0 ] || platforms=(--tag "$name")
  # Without the cache: buildah takes a label with another value for the same step.
  builder build --quiet --format oci --layers --no-cache --timestamp "$epoch" --isolation chroot "${platforms[@]}" \
    "$@" --file "$file" "$folder" >/dev/null
  [ -n "$out" ] || return 0
  mkdir -p "$(dirname "$out")"
  rm -f "$out"
  if [ "${platforms[0]}" = --platform ]; then
    builder manifest push --quiet --all "$name" "oci-archive:$out:$name"
  else
    builder push --quiet "$name" "oci-archive:$out:$name"
  fi
  # What was left nameless by builds before this one.
  builder rmi --prune --force >/dev/null 2>&1 || true
}

build_with_docker() {
  local name=$1 out=$2 folder=$3 file=$4 output
  shift 4
  output=type=docker
  [ -z "$out" ] || output=type=oci,dest=$out,name=$name,rewrite-timestamp=true
  SOURCE_DATE_EPOCH=$epoch docker buildx build --quiet --provenance=false ${PLATFORMS:+--platform "$PLATFORMS"} \
    --build-arg "SOURCE_DATE_EPOCH=$epoch" --output "$output" --tag "$name" "$@" --file "$file" "$folder" >/dev/null
}

# make_local_base: a Java runtime and the libraries it needs, as $local_base; made once for a JDK.
make_local_base() {
  local jdk release made
  jdk=${IMAGE_JDK:-${JAVA_HOME:-$(dirname "$(dirname "$(readlink -f "$(command -v java)")")")}}
  needs apt-get dpkg-deb
  [ -x "$jdk/bin/jlink" ] || { echo "there is no jlink in $jdk: name a JDK by IMAGE_JDK"; exit 1; }
  release=$({ cat "$jdk/release" && declare -f stage_local_base modules; } | cksum | cut -d ' ' -f 1)
  made=$cache/java-base/$release
  if [ ! -d "$made/base" ]; then
    echo "making a Java runtime from $jdk and this machine's packages (about a minute, once)"
    rm -rf "$made.making"
    mkdir -p "$made.making/packages"
    stage_local_base "$jdk" "$made.making" || { echo "the Java runtime could not be made"; exit 1; }
    mv "$made.making" "$made"
  fi
  build_image "$local_base" '' "$made" "$root/deploy/image/base.Containerfile"
}

# Debian's files without its programs: no shell, as in the base of a release.
stage_local_base() {
  local jdk=$1 made=$2 package
  (cd "$made/packages" && apt-get -q download base-files netbase tzdata libc6 libgcc-s1 libstdc++6 zlib1g) \
    >"$made/apt.log" 2>&1 || { cat "$made/apt.log"; return 1; }
  for package in "$made"/packages/*.deb; do
    dpkg-deb -x "$package" "$made/base" || return 1
  done
  rm -rf "$made/packages" "$made"/base/usr/share/{doc,man,locale,lintian} "$made"/base/usr/lib/*/gconv
  mkdir -p "$made/base/usr/lib/jvm" "$made/base/etc" "$made/base/usr/bin"
  "$jdk/bin/jlink" --add-modules "$(modules)" --strip-debug --no-man-pages --no-header-files \
    --output "$made/base/usr/lib/jvm/java" || return 1
  ln -s ../lib/jvm/java/bin/java "$made/base/usr/bin/java"
  printf '%s\n' root:x:0:0:root:/root:/sbin/nologin nonroot:x:65532:65532:nonroot:/home/nonroot:/sbin/nologin \
    >"$made/base/etc/passwd"
  printf 'root:x:0:\nnonroot:x:65532:\n' >"$made/base/etc/group"
  echo 'hosts: files dns' >"$made/base/etc/nsswitch.conf"
  settle "$made/base"
  chmod 1777 "$made/base/tmp"
}

# What a Java runtime without tools has.
modules() {
  echo java.se,jdk.charsets,jdk.crypto.ec,jdk.httpserver,jdk.management,jdk.naming.dns,jdk.net,jdk.unsupported,jdk.zipfs
}

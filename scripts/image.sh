#!/usr/bin/env bash
# Builds the image out of what `make build` made, with buildah, podman or docker, whichever is there.
# usage: scripts/image.sh OUT.oci      an OCI archive; the last line names the image in it and its digest
# environment, all optional:
#   IMAGE              name and tag inside the archive (localhost/aardappel:dev, which the overlay `local` runs)
#   BASE_IMAGE         what it stands on; `local` is a Java runtime made from this machine's packages, which is also
#                      taken, and told of, when nothing is said and the registry of the pinned base does not answer
#   PLATFORMS          such as linux/amd64,linux/arm64: an index of all; this machine's alone when left out
#   SOURCE_DATE_EPOCH  time of all files, in seconds (that of the jars' entries): equal content has an equal digest
#   BUILDER            buildah, podman or docker (the first of them that works)
set -euo pipefail
export LC_ALL=C # orders files alike everywhere
. "$(dirname "${BASH_SOURCE[0]}")/parts.sh"
. "$root/scripts/builder.sh"
cd "$root"
case ${1:-} in
  '' | -*)
    sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p}' "${BASH_SOURCE[0]}"
    [ "${1:-}" = -h ] || [ "${1:-}" = --help ] && exit 0 || exit 2
    ;;
esac
out=$(realpath -m "$1")

# program, main class, further arguments of the JVM
programs=(
  "replicator io.aardappel.replicator.app.Main"
  "operator io.aardappel.operator.app.Main"
  "emulator io.aardappel.emulator.app.Main -Dlogback.configurationFile=io/aardappel/emulator/app/logback.xml"
)
# Those that can be started here.
for i in "${!programs[@]}"; do
  [ -e "bin/${programs[$i]%% *}" ] || unset "programs[$i]"
done
version=$(sed -n 's|^  <version>\(.*\)</version>|\1|p' pom.xml | head -1)
image=${IMAGE:-localhost/aardappel:dev}
stage=$root/target/image

# stage_jar FILE FOLDER: the same library under two programs is one file.
stage_jar() {
  local there
  there=$2/$(basename "$1")
  if [ ! -e "$there" ]; then
    cp "$1" "$there"
  elif ! cmp -s "$1" "$there"; then
    echo "two different files are named $(basename "$1"), in two modules' target/lib: run 'make build' anew" >&2
    return 1
  fi
}

# stage_program NAME MAIN OPTION...: its jars, and the file of arguments that starts it.
stage_program() {
  local name=$1 main=$2 jar jars=() path=()
  shift 2
  shopt -s nullglob
  jars=("$name"/target/aardappel-"$name"-[0-9]*.jar "$name"/target/lib/*.jar)
  shopt -u nullglob
  if [ ! -d "$name/target/lib" ] || [ "${#jars[@]}" = 0 ]; then
    echo "the $name is not built yet: run 'make build' in $root" >&2
    return 1
  fi
  for jar in "${jars[@]}"; do
    case $(basename "$jar") in
      *-sources.jar | *-javadoc.jar) continue ;;
      aardappel-*) stage_jar "$jar" "$stage/programs/jars" && path+=("/opt/aardappel/jars/$(basename "$jar")") ;;
      *) stage_jar "$jar" "$stage/lib" && path+=("/opt/aardappel/lib/$(basename "$jar")") ;;
    esac
  done
  cp "$(flags "$name")" "$stage/programs/$name.flags"
  {
    # Read before everything else, so that what stands in JDK_JAVA_OPTIONS wins.
    echo "-XX:Flags=/opt/aardappel/$name.flags"
    # Libraries bring native parts, which Java 24 and newer ask about; 17 takes the option and does nothing.
    echo "--enable-native-access=ALL-UNNAMED"
    [ $# = 0 ] || printf '%s\n' "$@"
    echo -cp
    (IFS=: && echo "${path[*]}")
    echo "$main"
  } >"$stage/programs/$name"
}

# The program's own flags of the JVM, or those of all.
flags() {
  if [ -e "deploy/image/$1.flags" ]; then echo "deploy/image/$1.flags"; else echo deploy/image/jvm.flags; fi
}

stage_all() {
  local line
  rm -rf "$stage"
  mkdir -p "$stage/lib" "$stage/programs/jars"
  cp LICENSE "$stage/programs/LICENSE"
  for line in "${programs[@]}"; do
    # shellcheck disable=SC2086
    stage_program $line
  done
  settle "$stage"
}

find_builder
find_base() {
  local pinned
  pinned=$(sed -n 's/^ARG BASE_IMAGE=//p' deploy/image/Containerfile)
  if [ -n "${BASE_IMAGE:-}" ] && [ "$BASE_IMAGE" != local ]; then
    base=$BASE_IMAGE
  elif [ "${BASE_IMAGE:-}" != local ] && builder pull -q "$pinned" >/dev/null 2>"$root/target/image-pull.log"; then
    base=$pinned
  else
    if [ -z "${BASE_IMAGE:-}" ]; then
      echo "no answer from the registry of $pinned:"
      echo "  $(tail -1 "$root/target/image-pull.log")"
      echo "taking a Java runtime made from this machine's packages instead: for trying it, not for a release"
    fi
    base=$local_base
    make_local_base
  fi
}

stage_all
echo "staged: $(find "$stage/lib" -name '*.jar' | wc -l) libraries," \
  "$(find "$stage/programs" -name '*.jar' | wc -l) jars of ours; programs: $(printf '%s\n' "${programs[@]}" | cut -d ' ' -f 1 | xargs)"
find_base
echo "building $image on $base with $builder_name"
build_image "$image" "$out" "$stage" deploy/image/Containerfile \
  --build-arg "BASE_IMAGE=$base" --build-arg "VERSION=$version" \
  --build-arg "REVISION=$(git rev-parse HEAD 2>/dev/null || echo unknown)" \
  --build-arg "CREATED=$(date -u -d "@$epoch" +%Y-%m-%dT%H:%M:%SZ)"
digest=$(tar -xOf "$out" index.json | grep -o 'sha256:[0-9a-f]\{64\}' | head -1)
echo "$out ($(du -h "$out" | cut -f1)): $image@$digest"

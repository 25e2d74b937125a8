# Waits until the driver is gone (its end of our standard input closes, however it died), then stops what it
# left running and removes its folder. $1: the folder, which all files of the servers are in.
trap '' HUP INT TERM
dir=$1
cat >/dev/null

# The servers write their process ids to files; one that was still starting is found by its command line.
pids() {
    for file in "$dir/redis/redis.pid" "$dir/postgres/data/postmaster.pid"; do
        [ -f "$file" ] && head -n 1 "$file"
    done
    [ -d /proc/self ] && printf '%s\n' "$dir" | grep -lF -f - /proc/[0-9]*/cmdline 2>/dev/null | cut -d / -f 3
}

# Only a process whose command line names the folder is ours: the number may have been given to another since.
ours() {
    if [ -d /proc/self ]; then
        line=$(tr '\000' ' ' 2>/dev/null <"/proc/$1/cmdline")
    else
        line=$(ps -o command= -p "$1" 2>/dev/null)
    fi
    case $line in
        *watch.sh*) return 1 ;;
        *"$dir"*) return 0 ;;
        *) return 1 ;;
    esac
}

stop() {
    left=''
    for pid in $(pids | sort -u); do
        ours "$pid" && kill "-$1" "$pid" 2>/dev/null && left="$left $pid"
    done
    tries=50
    while [ -n "$left" ] && [ "$tries" -gt 0 ]; do
        sleep 0.1
        still=''
        for pid in $left; do
            ours "$pid" && still="$still $pid"
        done
        left=$still
        tries=$((tries - 1))
    done
}

{
    stop INT
    stop KILL
    # PostgreSQL's starter puts a script beside the folder, for the JVM to remove. One whose driver is gone has been used.
    find "$(dirname "$dir")" -maxdepth 1 -name 'detect_linux_distribution_*.sh' -user "$(id -u)" \
        -newer "$dir/watch.sh" -exec rm -f {} +
    tries=20
    until rm -rf "$dir" || [ "$tries" -eq 0 ]; do
        sleep 0.2
        tries=$((tries - 1))
    done
} 2>/dev/null

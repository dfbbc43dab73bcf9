/* Simulates a disk that is slow to sync, fails to sync, or only pretends to, and a wall clock that jumps. Preloaded into
 * the server (LD_PRELOAD).
 *
 *   FSYNC_DELAY_US   delays every sync by this many microseconds
 *   FSYNC_FAIL_ONCE  a file: if it exists at a sync, it is removed and the sync fails with EIO
 *   FSYNC_KEEP       a folder that receives a copy of each synced file, under its name, as it survives a power cut
 *   FSYNC_LIE_EVERY  copies the file only at every nth sync, but reports success for all; 0 or unset: at every sync
 *   WALL_JUMPS       seconds, separated by commas: each reading of the wall clock is wrong by the next of them
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static atomic_ulong calls;

static unsigned long number(const char *name) {
    const char *text = getenv(name);
    return text ? strtoul(text, 0, 10) : 0;
}

static int inject_fault(void) {
    unsigned long delay = number("FSYNC_DELAY_US");
    const char *trigger = getenv("FSYNC_FAIL_ONCE");
    atomic_fetch_add(&calls, 1);
    if (delay) usleep((useconds_t)delay);
    /* Removing the file makes exactly one sync fail. The next one succeeds, and must not be trusted. */
    if (trigger && unlink(trigger) == 0) {
        errno = EIO;
        return -1;
    }
    return 0;
}

/* Copies the file as it is now. Nothing else writes to a SQLite file while it is being synced. */
static int keep(int fd) {
    const char *folder = getenv("FSYNC_KEEP");
    unsigned long lie = number("FSYNC_LIE_EVERY");
    char link[64], path[PATH_MAX], copy[PATH_MAX];
    struct stat status;
    if (!folder || (lie && atomic_load(&calls) % lie != 0)) return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0 || fstat(fd, &status) || !S_ISREG(status.st_mode)) return 0;
    path[length] = 0;
    const char *name = strrchr(path, '/');
    if (snprintf(copy, sizeof copy, "%s%s", folder, name ? name : "") >= (int)sizeof copy) return -1;
    int to = open(copy, O_WRONLY | O_CREAT, 0600);
    if (to < 0) return -1;
    static _Thread_local char bytes[1 << 16];
    off_t at = 0;
    for (;;) {
        ssize_t got = pread(fd, bytes, sizeof bytes, at);
        if (got <= 0) break;
        if (pwrite(to, bytes, (size_t)got, at) != got) break;
        at += got;
    }
    int done = at >= status.st_size ? ftruncate(to, at) : -1;
    close(to);
    return done;
}

int fsync(int fd) {
    static int (*real)(int);
    if (!real) real = (int (*)(int))dlsym(RTLD_NEXT, "fsync");
    return inject_fault() || real(fd) || keep(fd) ? -1 : 0;
}

int fdatasync(int fd) {
    static int (*real)(int);
    if (!real) real = (int (*)(int))dlsym(RTLD_NEXT, "fdatasync");
    return inject_fault() || real(fd) || keep(fd) ? -1 : 0;
}

int clock_gettime(clockid_t clock, struct timespec *now) {
    static int (*real)(clockid_t, struct timespec *);
    static atomic_uint readings;
    if (!real) real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
    int result = real(clock, now);
    if (result || clock != CLOCK_REALTIME) return result;
    const char *jumps = getenv("WALL_JUMPS");
    if (!jumps) return result;
    long offsets[8];
    unsigned count = 0;
    for (const char *text = jumps; count < 8; text++) {
        char *end;
        offsets[count++] = strtol(text, &end, 10);
        text = end;
        if (*text != ',') break;
    }
    now->tv_sec += offsets[atomic_fetch_add(&readings, 1) % count];
    return 0;
}

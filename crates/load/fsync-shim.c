/* A disk that is slow to sync, or refuses to: loaded before the server's own libraries.
 *
 *   FSYNC_DELAY_US   every sync takes so many microseconds longer
 *   FSYNC_FAIL_EVERY every so manieth sync fails with EIO; 0 or unset: none
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

static atomic_ulong calls;

static int hurt(void) {
    const char *delay = getenv("FSYNC_DELAY_US");
    if (delay) usleep((useconds_t)strtoul(delay, 0, 10));
    const char *every = getenv("FSYNC_FAIL_EVERY");
    unsigned long n = every ? strtoul(every, 0, 10) : 0;
    if (n && (atomic_fetch_add(&calls, 1) + 1) % n == 0) {
        errno = EIO;
        return -1;
    }
    return 0;
}

int fsync(int fd) {
    static int (*real)(int);
    if (!real) real = (int (*)(int))dlsym(RTLD_NEXT, "fsync");
    return hurt() ? -1 : real(fd);
}

int fdatasync(int fd) {
    static int (*real)(int);
    if (!real) real = (int (*)(int))dlsym(RTLD_NEXT, "fdatasync");
    return hurt() ? -1 : real(fd);
}

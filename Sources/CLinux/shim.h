#pragma once
/* What Swift's Glibc module leaves out: items behind _GNU_SOURCE, and variadic functions with a fixed arity. */
#include <fcntl.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

/* struct ucred of unix(7). */
struct linux_ucred {
    pid_t pid;
    uid_t uid;
    gid_t gid;
};

static inline int linux_peer_credentials(int fd, struct linux_ucred *credentials) {
    socklen_t size = sizeof *credentials;
    return getsockopt(fd, SOL_SOCKET, 17 /* SO_PEERCRED */, credentials, &size);
}

/* 0, or -1 with errno. */
static inline int linux_set_not_dumpable(void) { return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }

/* The next connection of a listening socket, non-blocking and closed on exec; or -1 with errno. */
int accept4(int fd, struct sockaddr *address, socklen_t *size, int flags);
static inline int linux_accept(int fd) { return accept4(fd, 0, 0, SOCK_NONBLOCK | SOCK_CLOEXEC); }

/* Nanoseconds of a clock of clock_gettime(2). */
static inline int64_t linux_time(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

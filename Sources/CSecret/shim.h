#pragma once
/* SecretItem, SecretCollection and SecretService are declared only under this name. */
#define SECRET_API_SUBJECT_TO_CHANGE 1
#include <libsecret/secret.h>

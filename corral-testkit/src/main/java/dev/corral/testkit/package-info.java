/** For tests of applications and stores: virtual time, and the contract that every store keeps. */
@NullMarked
package dev.corral.testkit;

import org.jspecify.annotations.NullMarked;

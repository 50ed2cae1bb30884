import fc from 'fast-check';

// A property that fails is not made smaller.

fc.configureGlobal({ ...fc.readConfigureGlobal(), endOnFailure: true });

// What the public API knows before anything of it is loaded: a program that only says how it is called needs no more.
export { EngineError, isEngineError, type ErrorCode } from './core/values/error.ts';
export { sections } from './core/sections/section-name.ts';
export { hasPassword, postgresAddress } from './store/postgres/address.ts';
export { formats } from './import/format-name.ts';

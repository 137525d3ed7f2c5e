import { readFileOf } from './read.ts'

/** What a thread reads of a bank's file. */
export const readers = { 'bank.statement': ({ path }: { path: string }) => readFileOf(path) }

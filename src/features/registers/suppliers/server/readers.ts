import { readAnswers, type Given } from './answers.ts'

/** What a thread reads of an answer of the tax authority. */
export const readers = { 'suppliers.answers': (given: Given) => readAnswers(given) }

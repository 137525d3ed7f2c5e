import { readBusy } from './readBusy.ts'

/** What a thread reads of a calendar elsewhere. */
export const readers = { 'timetable.busy': readBusy }

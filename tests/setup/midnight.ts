import { setTimeout } from 'node:timers/promises'
import { dayInJerusalem } from '#domain/day.ts'

/** Longer than a test file takes. */
const longestFileMs = 150_000

/*
 * Runs before each test file. Tests take the day from the clock, and so do the server and SQL, each at its own moment:
 * a file that would run over midnight in Jerusalem begins after it.
 */
const day = dayInJerusalem(new Date())
if (dayInJerusalem(new Date(Date.now() + longestFileMs)) !== day)
  while (dayInJerusalem(new Date()) === day) await setTimeout(200)

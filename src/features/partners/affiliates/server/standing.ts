import { sql } from 'kysely'
import { dayInJerusalem, type Day } from '#domain/day.ts'
import type { standingNames } from '../endpoints.ts'

/**
 * So long what was proved stays in use after it was last seen to hold: a name server that is down for a night
 * ends nothing.
 */
const graceMs = 3 * 86_400_000
const dayMs = 86_400_000
/** What is out of use is checked automatically for so long; after that by hand. */
const patienceMs = 30 * dayMs

/**
 * Moments are ISO texts. The state of one thing that a brand's owner proves: that its domain leads here, or that
 * emails may be sent from its sender.
 */
export interface Standing {
  provedAt: string | null
  /** Proved, but not seen to hold since. */
  lostAt: string | null
  /** It was proved once and is out of use since. */
  endedAt: string | null
}
export type StandingChange = 'lost' | 'ended' | 'back'

/** One word for it. */
const standingOf = ({ provedAt, lostAt, endedAt }: Standing): (typeof standingNames)[number] =>
  provedAt ? (lostAt ? 'lost' : 'proved') : endedAt ? 'ended' : 'none'

/** The day on which what is lost goes out of use. */
export const endOf = ({ lostAt }: Pick<Standing, 'lostAt'>): Date | null =>
  lostAt === null ? null : new Date(Date.parse(lostAt) + graceMs)

/**
 * The next state after an automatic check, and what is to be reported. What was never proved stays so: its owner
 * starts the check when ready.
 */
export function afterAsking(
  was: Standing,
  holds: boolean,
  at: Date,
): { is: Standing; told?: StandingChange } {
  const now = at.toISOString()
  const { provedAt, lostAt, endedAt } = was
  if (provedAt) {
    if (holds) return { is: { provedAt, lostAt: null, endedAt: null }, ...(lostAt ? { told: 'back' } : {}) }
    if (!lostAt) return { is: { provedAt, lostAt: now, endedAt: null }, told: 'lost' }
    return at < endOf(was)!
      ? { is: was }
      : { is: { provedAt: null, lostAt: null, endedAt: now }, told: 'ended' }
  }
  return endedAt && holds ? { is: { provedAt: now, lostAt: null, endedAt: null }, told: 'back' } : { is: was }
}

/**
 * When to ask again: daily, four times a day while something is lost, and not at all where nothing was proved
 * or it ended long ago.
 */
export function askNext(all: readonly Standing[], now: Date): Date | null {
  if (all.some(({ lostAt }) => lostAt)) return new Date(now.getTime() + dayMs / 4)
  const isWorth = ({ provedAt, endedAt }: Standing) =>
    provedAt !== null || (endedAt !== null && now.getTime() - Date.parse(endedAt) < patienceMs)
  return all.some(isWorth) ? new Date(now.getTime() + dayMs) : null
}

/** Both standings of a row of `brands`, as they are kept. */
export interface StoredStandings {
  siteProvedAt: string | null
  siteLostAt: string | null
  siteEndedAt: string | null
  mailProvedAt: string | null
  mailLostAt: string | null
  mailEndedAt: string | null
}
export const standingColumns = sql<StoredStandings>`site_proved_at as "siteProvedAt",
    site_lost_at as "siteLostAt", site_ended_at as "siteEndedAt",
  mail_proved_at as "mailProvedAt", mail_lost_at as "mailLostAt", mail_ended_at as "mailEndedAt"`
export const siteOf = (row: StoredStandings): Standing => ({
  provedAt: row.siteProvedAt,
  lostAt: row.siteLostAt,
  endedAt: row.siteEndedAt,
})
export const mailOf = (row: StoredStandings): Standing => ({
  provedAt: row.mailProvedAt,
  lostAt: row.mailLostAt,
  endedAt: row.mailEndedAt,
})

/** As screens say them: a word, and the day on which it goes out of use or since which it is. */
export function saidOf(row: StoredStandings) {
  const dayOf = (one: Standing): Day | null => {
    const at = endOf(one) ?? (one.endedAt === null ? null : new Date(one.endedAt))
    return at && dayInJerusalem(at)
  }
  const [site, mail] = [siteOf(row), mailOf(row)]
  return {
    siteState: standingOf(site),
    siteDay: dayOf(site),
    mailState: standingOf(mail),
    mailDay: dayOf(mail),
  }
}

import { sql } from 'kysely'

/** Today in Jerusalem, where a computed field of a list has to say it and no request's clock is at hand. */
export const todayThere = sql`(now() at time zone 'Asia/Jerusalem')::date`

import { addDays } from '#domain/day.ts'
import { forecastDays, lineOf, movementKinds, movementsOf } from '#domain/forecast/cash.ts'
import { forbidden } from '#kit/describe/errors.ts'
import { choice, day, flag, money, number, text } from '#kit/fields/field.ts'
import { defineReport } from '#kit/server/described/reports.ts'
import { say } from '#kit/server/words.ts'
import { knownOf } from '../facts.ts'
import { seesSums } from '../sight.ts'

/**
 * The forecast of cash movement by movement with its running balance: to print, to send to a bank, to go on
 * with in a sheet.
 */
export const cashMovements = defineReport({
  name: 'cashMovements',
  feature: 'budget',
  group: 'money',
  path: '/invoice/reportcashforecast',
  allow: 'forecast.see',
  filters: { biggest: number(), laterDays: number(), noNewIncome: flag() },
  columns: {
    day: day(),
    move: choice(movementKinds, { words: 'forecast.kinds' }),
    who: text(),
    what: text(),
    inAgorot: money(),
    outAgorot: money(),
    balanceAgorot: { ...money(), main: true },
  },
  totals: ['inAgorot', 'outAgorot'],
  rows: async (ctx, { biggest = 0, laterDays = 0, noNewIncome = false }) => {
    if (!seesSums(ctx)) throw forbidden({ sight: 'whole' })
    const { facts } = await knownOf(ctx)
    const { movements } = movementsOf(facts, {
      biggest: Math.min(50, Math.max(0, biggest)),
      laterDays: Math.min(forecastDays, Math.max(0, laterDays)),
      noNewIncome,
    })
    let balanceAgorot = facts.openingAgorot
    const last = lineOf(facts.today, facts.openingAgorot, movements).at(-1)!
    return [
      {
        day: facts.today,
        who: say(ctx.caller.language, 'forecast.nowNote'),
        kind: 'opening',
        sum: true,
        balanceAgorot,
      },
      ...movements.map(({ day: on, kind, who, what, agorot, open }) => {
        balanceAgorot += agorot
        return {
          day: on,
          move: kind,
          who,
          what,
          inAgorot: agorot > 0 ? agorot : 0,
          outAgorot: agorot < 0 ? -agorot : 0,
          balanceAgorot,
          open,
        }
      }),
      {
        day: addDays(facts.today, forecastDays),
        who: say(ctx.caller.language, 'forecast.end'),
        kind: 'closing',
        sum: true,
        balanceAgorot: last.agorot,
      },
    ]
  },
  must: {
    endIsSum: (totals, rows) =>
      rows.length === 0 ||
      rows.at(-1)!.balanceAgorot === Number(rows[0]!.balanceAgorot) + totals.inAgorot! - totals.outAgorot!,
  },
})

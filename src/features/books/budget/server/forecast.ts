import type { z } from 'zod'
import { biggestDebtors, calm, lineOf, movementsOf, tellingOf } from '#domain/forecast/cash.ts'
import type { Ctx } from '#kit/server/context.ts'
import type { cashForecast, Forecast } from '../endpoints.ts'
import { knownOf } from './facts.ts'

/** So many are named to choose from. */
const namedDebtors = 10

/** The line of cash and what it is made of, under a stress. */
export async function forecast(
  ctx: Ctx,
  { biggest, laterDays, noNewIncome, floorAgorot, brief }: z.output<typeof cashForecast.input>,
): Promise<Forecast> {
  const { facts, accounts, series } = await knownOf(ctx)
  const { movements, doubtfulAgorot } = movementsOf(facts, { biggest, laterDays, noNewIncome })
  const points = lineOf(facts.today, facts.openingAgorot, movements)
  const isStressed = (biggest > 0 && laterDays > 0) || noNewIncome
  const owed = (id: string) => facts.debts.filter(({ customerId }) => customerId === id)
  return {
    today: facts.today,
    accounts,
    points,
    movements: brief ? [] : movements,
    ...tellingOf(points, floorAgorot ?? null),
    doubtfulAgorot,
    calm: isStressed
      ? lineOf(facts.today, facts.openingAgorot, movementsOf(facts, calm).movements).map(
          ({ agorot }) => agorot,
        )
      : null,
    debtors: [...biggestDebtors(facts.debts, namedDebtors)].map((id) => ({
      name: owed(id)[0]!.customer,
      agorot: owed(id).reduce((all, { agorot }) => all + agorot, 0),
    })),
    usualSalesAgorot: facts.sales?.monthlyAgorot ?? null,
    series: (brief ? [] : series).map(
      ({ key, who, what, rhythm, agorot, bills, nextDay, isLeftOut, open }) => ({
        key,
        who,
        what,
        rhythm,
        agorot,
        bills,
        nextDay,
        isLeftOut,
        open,
      }),
    ),
  }
}

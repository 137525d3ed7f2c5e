import type { Period } from '#domain/day.ts'
import { systemAccounts } from '#domain/ledger/chart.ts'
import { day, money, text } from '#kit/fields/field.ts'
import { defineReport } from '#kit/server/described/reports.ts'
import { cardTurnovers, type CardTurnover } from '../cards.ts'

/** The card of a customer or a supplier, or the account's. */
const movementsOf = (
  { partyId, parent, accountId }: Pick<CardTurnover, 'partyId' | 'parent' | 'accountId'>,
  { from, to }: Period,
): string =>
  partyId && parent
    ? `/invoice/${parent === systemAccounts.customers ? 'reportcustomercard' : 'reportprovidercard'}?party=${partyId}&from=${from}&to=${to}`
    : `/invoice/cardskarteset/${accountId}?from=${from}&to=${to}`

/**
 * Trial balance of movements (Instructions 1.31, 2.6): what the B110 and B100 records of the same range must
 * agree with.
 */
export const uniformBalances = defineReport({
  name: 'uniformBalances',
  feature: 'uniform',
  group: 'tax',
  path: '/invoice/reportuniformbalances',
  allow: 'uniform.export',
  filters: { from: day({ need: true }), to: day({ need: true }) },
  columns: {
    sortCode: text(),
    key: text(),
    account: { ...text(), names: true },
    openingAgorot: money(),
    debitAgorot: money({ band: 'movements' } as object),
    creditAgorot: money({ band: 'movements' } as object),
    balanceAgorot: money(),
  },
  groupBy: 'sortCode',
  totals: ['openingAgorot', 'debitAgorot', 'creditAgorot', 'balanceAgorot'],
  rows: async (ctx, { from, to }) => {
    const cards = await cardTurnovers(ctx, from, to)
    return cards
      .toSorted((a, b) => a.sortCode.localeCompare(b.sortCode) || a.key.localeCompare(b.key))
      .map((card) => ({
        sortCode: card.sortCode,
        key: card.key,
        account: card.name,
        openingAgorot: card.openingAgorot,
        debitAgorot: card.debitAgorot,
        creditAgorot: card.creditAgorot,
        balanceAgorot: card.openingAgorot + card.debitAgorot - card.creditAgorot,
        open: movementsOf(card, { from, to }),
      }))
  },
  must: {
    debitIsCredit: (totals) => totals.debitAgorot === totals.creditAgorot,
    openingIsZero: (totals) => totals.openingAgorot === 0,
  },
})

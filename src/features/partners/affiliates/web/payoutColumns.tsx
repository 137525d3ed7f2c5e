import type { OutputOf } from '#kit/describe/endpoint.ts'
import { MoneyCell } from '#kit/web/fields/cells.tsx'
import type { Column } from '#kit/web/parts/DataTable.tsx'
import { StatusPill, type StatusTone } from '#kit/web/parts/Status.tsx'
import type { useWords } from '#kit/web/words/words.tsx'
import type { myAffiliate } from '../endpoints.ts'

type Payout = Pick<OutputOf<typeof myAffiliate>['payouts'][number], 'state' | 'amountAgorot'>
const tones: Record<Payout['state'], StatusTone> = { waiting: 'wait', paid: 'done', undone: 'draft' }

/** The state and amount of a payout; its recipient and document are in the columns before. */
export const payoutColumns = (t: ReturnType<typeof useWords>): Column<any>[] => [
  {
    key: 'state',
    title: t('affiliates.signUps.state'),
    width: 'fit',
    phone: 'state',
    cell: ({ state }: Payout) => (
      <StatusPill tone={tones[state]}>{t(`affiliates.payout.${state}`)}</StatusPill>
    ),
  },
  {
    key: 'amount',
    title: t('affiliates.payouts.amount'),
    align: 'amount',
    width: 'fit',
    phone: 'amount',
    cell: ({ amountAgorot }: Payout) => <MoneyCell value={amountAgorot} />,
  },
]

import { Check, DoorOpen } from 'lucide-react'
import { formatMoney } from '#domain/format.ts'
import { Button } from '#kit/web/parts/Button.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { Icon } from '#kit/web/parts/Icon.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { useLanguage, useWords } from '#kit/web/words/words.tsx'
import { paymentMeansById } from '#domain/documents/kinds.ts'
import type { Grid, GridRow } from '../endpoints.ts'
import { monthHead } from './house.ts'
import './committee.css'

/** Amounts of a cell: whole shekels where they are whole. */
const short = (agorot: number): string => formatMoney(agorot).replace(/\.00$/, '')

/**
 * Flats by months: what is paid is quiet, what is owed speaks. A row is a flat, its last column what it owes
 * of all months until today.
 */
export function DuesGrid({
  of,
  onPay,
}: {
  of: Pick<Grid, 'rows' | 'months'>
  onPay: ((flatId: string) => void) | undefined
}) {
  const t = useWords()
  const { lang } = useLanguage()
  if (!of.rows.length)
    return (
      <EmptyState
        icon={DoorOpen}
        title={t('committee.noFlat')}
        actions={
          <Button kind="primary" href="/invoice/vaadpaymonth?part=flats">
            {t('committee.addFlats')}
          </Button>
        }
      >
        {t('committee.noFlatText')}
      </EmptyState>
    )
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls is reached by the keyboard
    <div className="vd-scroll" tabIndex={0} role="region" aria-label={t('committee.gridLabel')}>
      <table className="vd-grid">
        <thead>
          <tr>
            <th scope="col" className="flat">
              {t('committee.flat')}
            </th>
            <th scope="col" className="who">
              {t('committee.tenant')}
            </th>
            {of.months.map((month) => (
              <th scope="col" key={month}>
                {monthHead(month, lang)}
              </th>
            ))}
            <th scope="col" className="debt">
              {t('committee.debt')}
            </th>
          </tr>
        </thead>
        <tbody>
          {of.rows.map((row) => (
            <tr key={row.flatId}>
              <td className="flat">
                <Num>{row.entrance ? `${row.entrance}/${row.number}` : row.number}</Num>
              </td>
              <th scope="row" className="who">
                <Tenant row={row} />
              </th>
              {row.cells.map((cell) => (
                <td key={cell.month} data-state={cell.state}>
                  <Cell cell={cell} />
                </td>
              ))}
              <td className="debt">
                {row.debtAgorot > 0 ? (
                  onPay ? (
                    <Button
                      size="s"
                      kind="quiet"
                      label={t('committee.pay.of', { flat: row.number, sum: formatMoney(row.debtAgorot) })}
                      onPress={() => onPay(row.flatId)}
                    >
                      <span className="owes">
                        <Num>{short(row.debtAgorot)}</Num>
                      </span>
                    </Button>
                  ) : (
                    <span className="owes">
                      <Num>{short(row.debtAgorot)}</Num>
                    </span>
                  )
                ) : (
                  '–'
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Tenant({ row }: { row: GridRow }) {
  const t = useWords()
  return (
    <>
      <span>
        {row.payer ? <bdi>{row.payer}</bdi> : t('committee.nobody')}
        {row.role === 'renter' && ` (${t('committee.renter')})`}
      </span>
      {row.means !== null && (
        <span className="hint text-12">{t(`documents.means.${paymentMeansById(row.means)!}`)}</span>
      )}
    </>
  )
}

function Cell({ cell }: { cell: GridRow['cells'][number] }) {
  const t = useWords()
  switch (cell.state) {
    case 'paid':
      return <Icon of={Check} size="s" label={t('committee.cell.paid', { sum: formatMoney(cell.agorot) })} />
    case 'part':
    case 'open':
      return <Num>{short(cell.agorot - cell.paidAgorot)}</Num>
    case 'exempt':
      return <>{t('committee.cell.exempt')}</>
    case 'ahead':
      return <span className="hint">{short(cell.agorot)}</span>
    case 'none':
      return (
        <span className="hint" aria-label={t('committee.cell.none')} role="img">
          ·
        </span>
      )
  }
}

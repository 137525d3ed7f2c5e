import { CalendarCheck } from 'lucide-react'
import { useState } from 'react'
import { addDays } from '#domain/day.ts'
import { formatDay } from '#domain/format.ts'
import { call, failureText, useCall } from '#kit/web/calls/call.ts'
import { useToday } from '#kit/web/hooks/clock.ts'
import { MoneyCell, TextCell } from '#kit/web/fields/cells.tsx'
import { RefField } from '#kit/web/fields/RefField.tsx'
import { DataTable } from '#kit/web/parts/DataTable.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { Views } from '#kit/web/parts/Views.tsx'
import { go } from '#kit/web/routes/place.ts'
import { callsOf } from '#kit/web/screens/resources.ts'
import { useCan } from '#kit/web/session/session.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { suppliers } from '#features/registers/suppliers/suppliers.ts'
import { dueBills } from '../endpoints.ts'
import { payPath } from './actions.ts'
import './supplierPayments.css'

const spans = { week: 7, month: 31, all: 36_500 } as const
type Span = keyof typeof spans

/**
 * Whom to pay: suppliers with bills that are due this week, the most urgent first; or any supplier by name.
 */
export function Screen() {
  const t = useWords()
  const may = useCan()
  const [span, setSpan] = useState<Span>('week')
  const today = useToday()
  const { data, isLoading, error } = useCall(dueBills, { until: addDays(today, spans[span]) })
  return (
    <>
      <PageHeader
        title={t('screens.supplierDue')}
        crumbs={[{ label: t('supplierpayments.title'), href: '/invoice/supplierpayments' }]}
      >
        <Views
          label={t('screens.supplierDue')}
          value={span}
          onChange={(next) => setSpan(next as Span)}
          controls="due-bills"
          views={(Object.keys(spans) as Span[]).map((key) => ({
            key,
            label: t(`supplierpayments.due.${key}`),
          }))}
        />
      </PageHeader>
      <div className="k-stack">
        {may(suppliers.allow.see) && (
          <div className="sp-find">
            <RefField
              label={t('supplierpayments.due.find')}
              hideLabel
              placeholder={t('supplierpayments.due.find')}
              value={null}
              onChange={(picked) => picked && go(payPath(picked.key))}
              search={async (query, signal) =>
                (
                  await call(callsOf(suppliers).list, { size: 20, q: query || undefined }, { signal })
                ).rows.map((row) => ({
                  key: row.id,
                  label: String((row as { name?: unknown }).name),
                }))
              }
            />
          </div>
        )}
        <div id="due-bills" role="tabpanel" aria-label={t(`supplierpayments.due.${span}`)}>
          <DataTable
            label={t('screens.supplierDue')}
            main
            rows={data?.rows ?? []}
            rowKey={(row) => row.supplierId}
            rowHref={(row) => payPath(row.supplierId)}
            onOpen={(row) => go(payPath(row.supplierId))}
            loading={isLoading}
            empty={
              <EmptyState
                icon={CalendarCheck}
                title={error ? failureText(t, error) : t('supplierpayments.due.none')}
              >
                {t('supplierpayments.due.noneText')}
              </EmptyState>
            }
            columns={[
              {
                key: 'name',
                title: t('supplierpayments.fields.supplierId'),
                strong: true,
                width: 'trim',
                phone: 'title',
                cell: (row) => <TextCell value={row.name} />,
              },
              {
                key: 'first',
                title: t('supplierpayments.due.first'),
                width: 'fit',
                phone: 'line',
                cell: (row) =>
                  row.firstDue && (
                    <span className={row.firstDue < today ? 'late' : undefined}>
                      <Num>{formatDay(row.firstDue)}</Num>
                    </span>
                  ),
              },
              {
                key: 'bills',
                title: t('supplierpayments.due.bills'),
                width: 'fit',
                align: 'amount',
                cell: (row) => <Num>{row.bills}</Num>,
              },
              {
                key: 'due',
                title: t('supplierpayments.due.sum'),
                align: 'amount',
                phone: 'amount',
                cell: (row) => <MoneyCell value={row.dueAgorot} />,
              },
              {
                key: 'open',
                title: t('supplierpayments.due.open'),
                align: 'amount',
                cell: (row) => <MoneyCell value={row.openAgorot} />,
              },
            ]}
          />
        </div>
      </div>
    </>
  )
}

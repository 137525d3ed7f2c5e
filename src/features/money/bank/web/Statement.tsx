import { Check } from 'lucide-react'
import { Fragment, useState } from 'react'
import { bankColumns, type BankColumn } from '#domain/bank/table.ts'
import { formatDay } from '#domain/format.ts'
import { failureText, useCall, useSend, putAnswer } from '#kit/web/calls/call.ts'
import { MoneyCell, TextCell } from '#kit/web/fields/cells.tsx'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { FlagField } from '#kit/web/fields/FlagField.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Card } from '#kit/web/parts/Card.tsx'
import { DataTable } from '#kit/web/parts/DataTable.tsx'
import { Failed } from '#kit/web/parts/Failed.tsx'
import { Figure, Figures, Money } from '#kit/web/parts/Figure.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { StatusPill, type StatusTone } from '#kit/web/parts/Status.tsx'
import { go } from '#kit/web/routes/place.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import {
  getStatement,
  mapStatement,
  takeStatement,
  type PreviewLine,
  type WholeStatement,
} from '../endpoints.ts'
import { accountPath, refreshBank } from './refresh.ts'

const tones: Record<PreviewLine['novelty'], StatusTone> = { new: 'info', known: 'plain', suspect: 'wait' }

/** A file before it is in: what its columns are, which of its lines are new, whether its balances hold. */
export function Statement({ id, account }: { id: string; account: string }) {
  const t = useWords()
  const { data, error, refetch } = useCall(getStatement, { id }, { staleTime: 0 })
  const [suspects, setSuspects] = useState(false)
  const take = useSend(takeStatement, {
    onSuccess: async (next) => {
      await refreshBank()
      banner.success(t('bank.statement.done', { count: next.taken }))
      go(accountPath(account))
    },
  })
  if (error && !data) return <Failed error={error} onRetry={refetch} />
  if (!data) return <Skeleton />
  const { counts } = data
  const count = counts.new + (suspects ? counts.suspect : 0)
  const isOpen = data.state === 'read'
  return (
    <div className="bk-page">
      {data.otherAccount && (
        <Note tone="wait">{t('bank.statement.otherAccount', { number: data.otherAccount })}</Note>
      )}
      {isOpen && data.columns.length > 0 && !data.complete && (
        <Note tone="wait">{t('bank.statement.unmapped')}</Note>
      )}
      {data.complete && isOpen && (
        <>
          <Figures label={t('bank.statement.title')}>
            <Figure
              label={t('bank.statement.new')}
              value={<Num>{counts.new}</Num>}
              tone="result"
              note={
                data.fromDay && data.toDay ? (
                  <Num>{`${formatDay(data.fromDay)} – ${formatDay(data.toDay)}`}</Num>
                ) : undefined
              }
            />
            <Figure label={t('bank.statement.known')} value={<Num>{counts.known}</Num>} />
            {data.openingAgorot !== null && (
              <Figure
                label={t('bank.statement.opening')}
                value={<Money amount={data.openingAgorot} currency={data.currency} />}
              />
            )}
            {data.closingAgorot !== null && (
              <Figure
                label={t('bank.statement.closing')}
                value={<Money amount={data.closingAgorot} currency={data.currency} />}
              />
            )}
          </Figures>
          <Warnings data={data} />
          {counts.suspect > 0 && (
            <Card>
              <FlagField
                label={t('bank.statement.suspects', { count: counts.suspect })}
                hint={t('bank.statement.suspectsHint')}
                value={suspects}
                onChange={setSuspects}
              />
            </Card>
          )}
          {take.error && <Note tone="late">{failureText(t, take.error)}</Note>}
          <div className="bk-acts">
            <Button
              kind="primary"
              icon={Check}
              busy={take.isPending}
              onPress={() => take.mutate({ id, suspects })}
              {...(count === 0 ? { blocked: t('bank.statement.nothing') } : {})}
            >
              {count > 0 ? t('bank.statement.take', { count }) : t('bank.statement.takeNone')}
            </Button>
            <Button kind="quiet" href={accountPath(account)}>
              {t('kit.actions.back')}
            </Button>
            {count === 0 && <span className="hint">{t('bank.statement.nothing')}</span>}
          </div>
        </>
      )}
      {isOpen && data.columns.length > 0 && (
        <Columns key={data.columns.map((one) => one.is).join()} data={data} />
      )}
      {data.lines.length > 0 && (
        <DataTable<PreviewLine>
          label={t('banklines.title')}
          density="dense"
          rows={data.lines}
          rowKey={(row) => String(row.position)}
          isOff={(row) => row.novelty === 'known'}
          columns={[
            {
              key: 'day',
              title: t('banklines.fields.day'),
              width: 'fit',
              phone: 'line',
              cell: (row) => <Num>{formatDay(row.day)}</Num>,
            },
            {
              key: 'text',
              title: t('banklines.fields.text'),
              width: 'trim',
              strong: true,
              phone: 'title',
              cell: (row) => <TextCell value={[row.text, row.details].filter(Boolean).join(' · ')} />,
            },
            {
              key: 'reference',
              title: t('banklines.fields.reference'),
              width: 'fit',
              cell: (row) => <Num>{row.reference}</Num>,
            },
            {
              key: 'amount',
              title: t('banklines.fields.amountAgorot'),
              align: 'amount',
              phone: 'amount',
              cell: (row) => <MoneyCell value={row.amountAgorot} currency={data.currency} />,
            },
            {
              key: 'balance',
              title: t('banklines.fields.balanceAgorot'),
              align: 'amount',
              cell: (row) => <MoneyCell value={row.balanceAgorot} zero="show" currency={data.currency} />,
            },
            {
              key: 'state',
              title: t('bank.statement.state'),
              width: 'fit',
              phone: 'state',
              cell: (row) => (
                <StatusPill tone={row.mismatch ? 'wait' : tones[row.novelty]}>
                  {t(row.mismatch ? 'bank.novelty.mismatch' : `bank.novelty.${row.novelty}`)}
                </StatusPill>
              ),
            },
          ]}
        />
      )}
    </div>
  )
}

/** What the balances and the rows of the file say against it. */
function Warnings({ data }: { data: WholeStatement }) {
  const t = useWords()
  return (
    <>
      {data.gapAgorot !== 0 && (
        <Note tone="wait">
          {t('bank.statement.gap')} <Money amount={data.gapAgorot} currency={data.currency} />
        </Note>
      )}
      {data.mismatches > 0 && (
        <Note tone="wait">{t('bank.statement.mismatches', { count: data.mismatches })}</Note>
      )}
      {data.openingAgorot !== null && data.mismatches === 0 && data.gapAgorot === 0 && data.proven && (
        <Note tone="done">{t('bank.statement.agrees')}</Note>
      )}
      {data.leftOut.length > 0 && (
        <Note tone="wait">{t('bank.statement.leftOut', { sheets: data.leftOut.join(', ') })}</Note>
      )}
      {data.openingAgorot === null && data.lines.length > 0 && (
        <Note tone="wait">{t('bank.statement.unproven')}</Note>
      )}
      {data.faults.length > 0 && (
        <Note tone="late">
          {t('bank.statement.faults', { count: data.faults.length })}
          <ul className="bk-faults">
            {data.faults.slice(0, 5).map((fault) => (
              <li key={fault.row}>
                {t(`bank.faults.${fault.code}`, { row: String(fault.row), value: fault.value })}
              </li>
            ))}
          </ul>
        </Note>
      )}
    </>
  )
}

const left = '-'

/** The meaning of each column, beside its values. */
function Columns({ data }: { data: WholeStatement }) {
  const t = useWords()
  const [mapping, setMapping] = useState(data.columns.map((one) => one.is))
  const save = useSend(mapStatement, {
    onSuccess: (next) => void putAnswer(getStatement, { id: next.id }, next),
  })
  const isChanged = mapping.some((one, i) => one !== data.columns[i]!.is)
  const choices = [
    { value: left, label: t('bank.columns.none') },
    ...bankColumns.map((value) => ({ value: value as string, label: t(`bank.columns.${value}`) })),
  ]
  const put = (at: number, value: BankColumn | null) =>
    setMapping(
      mapping.map((other, i) =>
        i === at ? value : value !== null && value !== 'details' && other === value ? null : other,
      ),
    )
  return (
    <details className="k-card bk-columns" open={!data.complete}>
      <summary>
        {t('bank.columns.title')}
        {data.remembered && <span className="hint text-12">{t('bank.columns.remembered')}</span>}
      </summary>
      <ul>
        {data.columns.map((column, i) => (
          <li key={i} data-out={mapping[i] === null ? '' : undefined}>
            <span className="head">
              <bdi className="cut">{column.title || t('bank.columns.nth', { number: i + 1 })}</bdi>
              <span className="hint text-12 cut">
                {column.samples.map((sample, n) => (
                  <Fragment key={n}>
                    {n > 0 && ' · '}
                    <bdi>{sample}</bdi>
                  </Fragment>
                ))}
              </span>
            </span>
            <ChoiceField
              as="list"
              hideLabel
              label={t('bank.columns.of', { column: column.title || String(i + 1) })}
              value={mapping[i] ?? left}
              choices={choices}
              onChange={(value) => put(i, value === left || value === null ? null : (value as BankColumn))}
            />
          </li>
        ))}
      </ul>
      {save.error && <Note tone="late">{failureText(t, save.error)}</Note>}
      {isChanged && (
        <div className="bk-acts">
          <Button kind="soft" busy={save.isPending} onPress={() => save.mutate({ id: data.id, mapping })}>
            {t('bank.columns.save')}
          </Button>
        </div>
      )}
    </details>
  )
}

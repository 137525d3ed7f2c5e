import { ExternalLink, Printer, Undo2 } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-aria-components/Link'
import { formatDay, formatMoment } from '#domain/format.ts'
import { askAbout } from '#kit/web/routes/askAbout.ts'
import { failureText, useCall } from '#kit/web/calls/call.ts'
import { MoneyCell, TextCell } from '#kit/web/fields/cells.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { DataTable } from '#kit/web/parts/DataTable.tsx'
import { Money } from '#kit/web/parts/Figure.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { StatusPill } from '#kit/web/parts/Status.tsx'
import { go, usePlace } from '#kit/web/routes/place.ts'
import { useCan } from '#kit/web/session/session.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { getEntry, type EntryAnswer } from '#features/base/ledger/endpoints.ts'
import { reverseEntry } from '../endpoints.ts'
import { ReverseDialog } from './ReverseDialog.tsx'
import { batchesPath, entriesPath } from './state.tsx'
import './journal.css'

/**
 * One entry: its accounts, the paper it came of, the batch it was posted with, and the entry that undoes it.
 */
export function Screen() {
  const t = useWords()
  const may = useCan()
  const id = usePlace().params.entryid ?? ''
  const { data: entry, error } = useCall(getEntry, { id })
  const [asks, setAsks] = useState(false)
  if (error && !entry) return <Note tone="late">{failureText(t, error)}</Note>
  if (!entry) return <Skeleton lines={6} />
  const sum = (side: 'debitAgorot' | 'creditAgorot') => (
    <MoneyCell value={entry.lines.reduce((total, line) => total + line[side], 0)} />
  )
  return (
    <>
      <PageHeader
        crumbs={[{ label: t('screens.entries'), href: entriesPath }]}
        title={t(`ledger.kinds.${entry.kind}`)}
        {...(entry.reference ? { number: <Num>{entry.reference}</Num> } : {})}
        status={entry.reversedById && <StatusPill>{t('journal.entry.reversed')}</StatusPill>}
        sub={
          <>
            <Num>{formatDay(entry.day)}</Num>
            {entry.valueDay !== entry.day && (
              <>
                {' · '}
                {t('journal.fields.valueDay')} <Num>{formatDay(entry.valueDay)}</Num>
              </>
            )}
            {entry.details && (
              <>
                {' · '}
                <bdi>{entry.details}</bdi>
              </>
            )}
            {' · '}
            {t('journal.entry.written')} <Num>{formatMoment(new Date(entry.at))}</Num>
            {entry.by && (
              <>
                {' · '}
                <bdi>{entry.by}</bdi>
              </>
            )}
          </>
        }
        actions={
          <>
            <Button kind="quiet" icon={Printer} className="d-wide" onPress={() => print()}>
              {t('kit.reports.print')}
            </Button>
            {entry.open && (
              <Button icon={ExternalLink} href={entry.open}>
                {t('journal.entry.paper')}
              </Button>
            )}
          </>
        }
        more={[
          ...askAbout(t, {
            path: `${entriesPath}/${id}`,
            what: [t(`ledger.kinds.${entry.kind}`), entry.reference, formatDay(entry.day), entry.details]
              .filter(Boolean)
              .join(' · '),
            day: entry.day,
            sumAgorot: entry.lines.reduce((total, line) => total + line.debitAgorot, 0),
          }),
          ...(entry.reversible && may('journal.post')
            ? [
                {
                  key: 'reverse',
                  label: t('journal.reverse.entry'),
                  icon: Undo2,
                  tone: 'danger' as const,
                  onPress: () => setAsks(true),
                },
              ]
            : []),
        ]}
      />
      <div className="jr-stack">
        {(entry.batchId || entry.reversesId || entry.reversedById) && (
          <p className="jr-links">
            {entry.batchId && (
              <Link className="link aim" href={`${batchesPath}/${entry.batchId}`}>
                {t('journal.batch.named', { number: String(entry.batch) })}
              </Link>
            )}
            {entry.reversesId && (
              <Link className="link aim" href={`${entriesPath}/${entry.reversesId}`}>
                {t('journal.entry.reverses')}
              </Link>
            )}
            {entry.reversedById && (
              <Link className="link aim" href={`${entriesPath}/${entry.reversedById}`}>
                {t('journal.entry.reversal')}
              </Link>
            )}
          </p>
        )}
        <DataTable
          label={t('journal.lines')}
          main
          rows={entry.lines.map((line, i) => ({ ...line, key: String(i) }))}
          rowKey={({ key }) => key}
          rowName={(row) => `${row.number} ${row.account}`}
          rowHref={(row) => `/invoice/cardskarteset/${row.accountId}`}
          onOpen={(row) => go(`/invoice/cardskarteset/${row.accountId}`)}
          columns={[
            {
              key: 'number',
              title: t('accounts.fields.number'),
              width: 'fit',
              strong: true,
              phone: 'line',
              cell: (row) => <Num>{row.number}</Num>,
            },
            {
              key: 'account',
              title: t('accounts.one'),
              width: 'trim',
              phone: 'title',
              cell: (row) => <TextCell value={[row.account, row.party].filter(Boolean).join(' · ')} />,
              foot: t('kit.reports.total'),
            },
            ...(entry.lines.some(({ currency }) => currency)
              ? [
                  {
                    key: 'foreign',
                    title: t('journal.fields.foreignAgorot'),
                    align: 'amount' as const,
                    cell: (row: EntryAnswer['lines'][number]) =>
                      row.currency && <Money amount={row.foreignAgorot ?? 0} currency={row.currency} />,
                  },
                ]
              : []),
            {
              key: 'debit',
              title: t('ledger.side.debit'),
              align: 'amount',
              phone: 'amount',
              named: (row) => row.debitAgorot !== 0,
              cell: (row) => <MoneyCell value={row.debitAgorot} zero="blank" />,
              foot: sum('debitAgorot'),
            },
            {
              key: 'credit',
              title: t('ledger.side.credit'),
              align: 'amount',
              phone: 'amount',
              named: (row) => row.creditAgorot !== 0,
              cell: (row) => <MoneyCell value={row.creditAgorot} zero="blank" />,
              foot: sum('creditAgorot'),
            },
          ]}
        />
      </div>
      {asks && (
        <ReverseDialog
          title={t('journal.reverse.entryTitle')}
          call={reverseEntry}
          id={id}
          onClose={() => setAsks(false)}
        />
      )}
    </>
  )
}

import { Link2, Pencil, Undo2 } from 'lucide-react'
import { useState } from 'react'
import { formatDay, formatMoment } from '#domain/format.ts'
import { call, failureText, useCall } from '#kit/web/calls/call.ts'
import { MoneyCell, TextCell } from '#kit/web/fields/cells.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { DataTable } from '#kit/web/parts/DataTable.tsx'
import { Question } from '#kit/web/parts/Dialog.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { Failed } from '#kit/web/parts/Failed.tsx'
import { Figure, Figures, Money } from '#kit/web/parts/Figure.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { StatusPill } from '#kit/web/parts/Status.tsx'
import { Views } from '#kit/web/parts/Views.tsx'
import { usePlace } from '#kit/web/routes/place.ts'
import { useTitle } from '#kit/web/routes/router.tsx'
import { ListScreen } from '#kit/web/screens/ListScreen.tsx'
import { useRecord } from '#kit/web/screens/useRecord.ts'
import { useCan } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { bankAccounts, bankLines } from '../bankAccounts.ts'
import { listStatements, undoStatement, type StatementSummary } from '../endpoints.ts'
import './dress.tsx'
import { RecordSheet } from '#kit/web/screens/RecordSheet.tsx'
import './bank.css'
import { accountPath, refreshBank } from './refresh.ts'
import { Statement } from './Statement.tsx'
import { Upload } from './Upload.tsx'

/** A bank account: its balance, the import of a statement, its lines and their files. */
export function Screen() {
  const t = useWords()
  const may = useCan()
  const { params, query } = usePlace()
  const id = params.bankid ?? ''
  const { data: account, error } = useRecord(bankAccounts, id)
  const [editing, setEditing] = useState(false)
  useTitle(account && String(account.name))
  const href = accountPath(id)
  if (error && !account) return <Failed error={error} />
  if (!account) return <Skeleton />
  const open = Number(account.openLines ?? 0)
  return (
    <>
      <PageHeader
        crumbs={[
          { label: t('screens.bankList'), href: bankAccounts.screens.list },
          ...(query.statement ? [{ label: String(account.name), href }] : []),
        ]}
        title={query.statement ? t('bank.statement.title') : String(account.name)}
        sub={<Num>{[account.bankCode, account.branch, account.number].filter(Boolean).join('-')}</Num>}
        actions={
          !query.statement && (
            <>
              {may('bank.change') && (
                <Button icon={Pencil} onPress={() => setEditing(true)}>
                  {t('kit.lists.edit')}
                </Button>
              )}
              {open > 0 && (
                <Button kind="primary" icon={Link2} href={`/invoice/atamotbank?account=${id}`}>
                  {t('bankaccounts.match')}
                </Button>
              )}
            </>
          )
        }
      />
      {query.statement ? (
        <Statement key={query.statement} id={query.statement} account={id} />
      ) : (
        <div className="bk-page">
          {account.balanceDay !== null && (
            <Figures label={t('bank.figures')}>
              <Figure
                label={t('bankaccounts.fields.balanceAgorot')}
                value={<Money amount={account.balanceAgorot as number} currency={String(account.currency)} />}
                note={<Num>{formatDay(String(account.balanceDay))}</Num>}
              />
              <Figure
                label={t('bankaccounts.fields.ledgerAgorot')}
                value={<Money amount={account.ledgerAgorot as number} currency={String(account.currency)} />}
                note={<bdi>{String(account.accountIdName ?? '')}</bdi>}
                href={`/invoice/bankreconciliation?bankAccount=${id}`}
              />
              <Figure label={t('bankaccounts.fields.openLines')} value={<Num>{open}</Num>} tone="result" />
            </Figures>
          )}
          {may('bank.change') && <Upload id={id} />}
          <Parts currency={String(account.currency)} id={id} hasLines={account.balanceDay !== null} />
        </div>
      )}
      {editing && (
        <RecordSheet
          resource={bankAccounts}
          record={account}
          onClose={() => setEditing(false)}
          onSaved={() => {
            setEditing(false)
            banner.success(t('kit.forms.saved'))
          }}
        />
      )}
    </>
  )
}

/** The lines of the account, or the files they came in. */
function Parts({ id, hasLines, currency }: { id: string; hasLines: boolean; currency: string }) {
  const t = useWords()
  const { query } = usePlace()
  const [part, setPart] = useState<'lines' | 'files'>(query.part === 'files' ? 'files' : 'lines')
  const { data } = useCall(listStatements, { bankAccountId: id })
  if (!hasLines && !data?.rows.length)
    return (
      <EmptyState icon={Link2} title={t('bank.empty.title')}>
        {t('bank.empty.text')}
      </EmptyState>
    )
  return (
    <div>
      <Views
        label={t('bank.parts')}
        value={part}
        onChange={setPart}
        controls="bank-part"
        views={[
          { key: 'lines', label: t('banklines.title') },
          { key: 'files', label: t('bank.files.title'), count: data?.rows.length ?? 0 },
        ]}
      />
      <div id="bank-part" className="bk-part">
        {part === 'lines' ? (
          <ListScreen resource={bankLines} embedded fixed={{ bankAccountId: id }} />
        ) : (
          <Files rows={data?.rows ?? []} currency={currency} />
        )}
      </div>
    </div>
  )
}

function Files({ rows, currency }: { rows: readonly StatementSummary[]; currency: string }) {
  const t = useWords()
  const may = useCan()
  const [asked, setAsked] = useState<StatementSummary>()
  const undo = async () => {
    try {
      await call(undoStatement, { id: asked!.id })
      banner.success(t('bank.files.undone', { count: asked!.taken }))
    } catch (e) {
      banner.error(failureText(t, e))
    }
    await refreshBank()
  }
  return (
    <>
      <DataTable<StatementSummary>
        label={t('bank.files.title')}
        rows={rows}
        rowKey={(row) => row.id}
        rowName={(row) => row.name}
        isOff={(row) => row.state === 'undone'}
        {...(may('bank.change')
          ? {
              menu: (row: StatementSummary) =>
                row.state === 'taken'
                  ? [
                      {
                        key: 'undo',
                        label: t('bank.files.undo'),
                        icon: Undo2,
                        m: true,
                        tone: 'danger' as const,
                        disabled: row.matched > 0,
                        ...(row.matched > 0 ? { hint: t('bank.files.matched', { count: row.matched }) } : {}),
                        onPress: () => setAsked(row),
                      },
                    ]
                  : [],
            }
          : {})}
        columns={[
          {
            key: 'name',
            title: t('bank.files.name'),
            width: 'trim',
            strong: true,
            phone: 'title',
            cell: (row) => <TextCell value={row.name} />,
          },
          {
            key: 'days',
            title: t('bank.files.days'),
            width: 'fit',
            phone: 'line',
            cell: (row) =>
              row.fromDay && row.toDay && <Num>{`${formatDay(row.fromDay)} – ${formatDay(row.toDay)}`}</Num>,
          },
          {
            key: 'taken',
            title: t('bank.files.taken'),
            align: 'amount',
            cell: (row) => <Num>{row.taken}</Num>,
          },
          {
            key: 'known',
            title: t('bank.files.known'),
            align: 'amount',
            cell: (row) => <Num>{row.known}</Num>,
          },
          {
            key: 'closing',
            title: t('bank.files.closing'),
            align: 'amount',
            phone: 'amount',
            cell: (row) => <MoneyCell value={row.closingAgorot} zero="show" currency={currency} />,
          },
          {
            key: 'state',
            title: t('bank.files.state'),
            width: 'fit',
            phone: 'state',
            cell: (row) =>
              row.state === 'undone' ? (
                <StatusPill tone="draft">{t('bank.state.undone')}</StatusPill>
              ) : row.gapAgorot || row.mismatches ? (
                <StatusPill tone="wait">{t('bank.state.gap')}</StatusPill>
              ) : (
                <StatusPill tone="done">{t('bank.state.taken')}</StatusPill>
              ),
          },
          {
            key: 'when',
            title: t('bank.files.when'),
            width: 'fit',
            cell: (row) => (
              <span className="hint">
                <Num>{formatMoment(new Date(row.createdAt))}</Num>
              </span>
            ),
          },
        ]}
      />
      <Question
        isOpen={!!asked}
        onClose={() => setAsked(undefined)}
        danger
        title={t('bank.files.undoTitle')}
        verb={t('bank.files.undo')}
        onConfirm={undo}
      >
        {asked && t('bank.files.undoText', { count: asked.taken, name: asked.name })}
      </Question>
    </>
  )
}

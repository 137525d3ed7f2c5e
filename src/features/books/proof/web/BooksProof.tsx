import { CircleCheck, Copy, Send, ShieldCheck } from 'lucide-react'
import { useRef, useState } from 'react'
import { formatDay, formatMoney, formatNumber } from '#domain/format.ts'
import { call, failureText, keyOf, queryClient, useCall } from '#kit/web/calls/call.ts'
import { MomentCell } from '#kit/web/fields/cells.tsx'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Card } from '#kit/web/parts/Card.tsx'
import { DataTable } from '#kit/web/parts/DataTable.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { Failed } from '#kit/web/parts/Failed.tsx'
import { Figure, Figures } from '#kit/web/parts/Figure.tsx'
import { FormDialog } from '#kit/web/parts/FormDialog.tsx'
import { ReasonDialog } from '#kit/web/parts/ReasonDialog.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { toast } from '#kit/web/parts/notices.ts'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { ProgressRow } from '#kit/web/parts/ProgressRow.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { useCopy } from '#kit/web/hooks/useCopy.ts'
import { useWords } from '#kit/web/words/words.tsx'
import {
  checkProof,
  listMissing,
  postMissing,
  sendRoot,
  showProof,
  type Checked,
  type Proof,
} from '../endpoints.ts'

const monthText = (month: string) => `${month.slice(5)}/${month.slice(0, 4)}`

/**
 * That nothing issued was changed since: the chain's length, its root by month, and the check by the person who
 * wants to know.
 */
export function Screen() {
  const t = useWords()
  const { data, error } = useCall(showProof, {})
  const [progress, setProgress] = useState<{ to: number; total: number }>()
  const [broken, setBroken] = useState<NonNullable<Checked['broken']>>()
  const [problem, setProblem] = useState<string>()
  const [sends, setSends] = useState<string>()
  const stopped = useRef(false)
  const check = async () => {
    stopped.current = false
    setBroken(undefined)
    setProblem(undefined)
    try {
      let from = 0
      for (;;) {
        const answer = await call(checkProof, { from })
        setProgress(answer)
        if (answer.broken) setBroken(answer.broken)
        if (answer.done || stopped.current) break
        from = answer.to
      }
    } catch (e) {
      setProblem(failureText(t, e))
    }
    setProgress(undefined)
    await queryClient.invalidateQueries({ queryKey: keyOf(showProof) })
  }
  if (error && !data) return <Failed error={error} />
  return (
    <>
      <PageHeader
        title={t('screens.booksProof')}
        sub={t('proof.sub')}
        actions={
          <Button
            kind="primary"
            icon={ShieldCheck}
            busy={progress !== undefined}
            onPress={() => void check()}
          >
            {t('proof.check')}
          </Button>
        }
      />
      {!data ? (
        <Skeleton lines={6} />
      ) : (
        <div className="grid gap-4">
          {progress && (
            <ProgressRow
              title={t('proof.checking')}
              icon={ShieldCheck}
              done={progress.to}
              total={progress.total}
              onStop={() => {
                stopped.current = true
              }}
            />
          )}
          {problem && <Note tone="late">{problem}</Note>}
          {broken ? <Found of={broken} /> : !progress && <Last of={data.checked} />}
          <Missing />
          <Figures label={t('screens.booksProof')}>
            <Figure
              label={t('proof.records')}
              value={<Num>{formatNumber(data.records)}</Num>}
              note={t('proof.recordsText')}
            />
            <Figure
              label={t('proof.waiting')}
              value={<Num>{formatNumber(data.waiting)}</Num>}
              note={t('proof.waitingText')}
            />
          </Figures>
          <Card title={t('proof.roots')} hint={t('proof.rootsText')} flush>
            {data.months.length === 0 ? (
              <EmptyState icon={ShieldCheck} title={t('proof.empty')}>
                {t('proof.emptyText')}
              </EmptyState>
            ) : (
              <Months rows={data.months} onSend={setSends} />
            )}
          </Card>
        </div>
      )}
      {sends && <SendDialog month={sends} onClose={() => setSends(undefined)} />}
    </>
  )
}

/** Documents that were issued without their entry: the list, and the person who reviewed it posts it. */
function Missing() {
  const t = useWords()
  const { data } = useCall(listMissing, {})
  const [asks, setAsks] = useState(false)
  if (!data?.rows.length) return null
  const open = data.rows.filter(({ isLocked }) => !isLocked)
  return (
    <Card
      title={t('proof.missing')}
      hint={t('proof.missingText')}
      flush
      end={
        <Button size="s" isDisabled={!open.length} onPress={() => setAsks(true)}>
          {t('proof.missingPost')}
        </Button>
      }
    >
      <DataTable
        label={t('proof.missing')}
        rows={data.rows}
        rowKey={(row) => row.id}
        rowName={(row) => `${t(`documents.types.${row.type}`)} ${row.number}`}
        rowHref={(row) => `/invoice/preview/${row.id}`}
        columns={[
          {
            key: 'document',
            title: t('proof.missingDocument'),
            strong: true,
            phone: 'title',
            cell: (row) => (
              <>
                {t(`documents.types.${row.type}`)} <Num>{row.number}</Num> · {row.customer}
              </>
            ),
          },
          {
            key: 'period',
            title: t('proof.missingPeriod'),
            phone: 'line',
            cell: (row) => (
              <>
                <Num>
                  {formatDay(row.period.from)} – {formatDay(row.period.to)}
                </Num>
                {row.isLocked && ` · ${t('proof.missingLocked')}`}
              </>
            ),
          },
          {
            key: 'entry',
            title: t('proof.missingEntry'),
            phone: 'line',
            cell: (row) =>
              row.lines.map(({ number, account, amountAgorot }) => (
                <div key={number}>
                  <Num>{number}</Num> {account} <Num>{formatMoney(amountAgorot)}</Num>
                </div>
              )),
          },
        ]}
      />
      {asks && <PostDialog ids={open.map(({ id }) => id)} onClose={() => setAsks(false)} />}
    </Card>
  )
}

function PostDialog({ ids, onClose }: { ids: string[]; onClose: () => void }) {
  const t = useWords()
  return (
    <ReasonDialog
      title={t('proof.missingPost')}
      verb={t('proof.missingPost')}
      label={t('proof.missingReason')}
      oneLine
      onClose={onClose}
      onReason={async (reason) => {
        await call(postMissing, { documentIds: ids.slice(0, 200), reason })
        await queryClient.invalidateQueries({ queryKey: keyOf(listMissing) })
        toast(t('proof.missingPosted'))
        onClose()
      }}
    />
  )
}

function Months({ rows, onSend }: { rows: Proof['months']; onSend: (month: string) => void }) {
  const t = useWords()
  const copy = useCopy()
  return (
    <DataTable
      label={t('proof.roots')}
      main
      rows={rows}
      rowKey={(row) => row.month}
      rowName={(row) => monthText(row.month)}
      columns={[
        {
          key: 'month',
          title: t('proof.month'),
          width: 'fit',
          strong: true,
          phone: 'title',
          cell: (row) => <Num>{monthText(row.month)}</Num>,
        },
        {
          key: 'records',
          title: t('proof.records'),
          align: 'amount',
          phone: 'amount',
          cell: (row) => <Num>{formatNumber(row.records)}</Num>,
        },
        {
          key: 'root',
          title: t('proof.root'),
          width: 'trim',
          phone: 'line',
          // The beginning is enough to compare by eye; whole it is copied or sent.
          cell: (row) => (
            <Num>
              {row.root.slice(0, 16)}…{row.root.slice(-8)}
            </Num>
          ),
        },
      ]}
      menu={(row) => [
        { key: 'copy', label: t('proof.copy'), icon: Copy, onPress: () => copy(row.root) },
        { key: 'send', label: t('proof.send'), icon: Send, onPress: () => onSend(row.month) },
      ]}
    />
  )
}

function Last({ of }: { of: Proof['checked'] }) {
  const t = useWords()
  if (!of) return <Note>{t('proof.never')}</Note>
  return (
    <Note tone={of.ok ? 'done' : 'late'} {...(of.ok ? { icon: CircleCheck } : {})}>
      {t(of.ok ? 'proof.whole' : 'proof.notWhole', { records: of.records })} <MomentCell value={of.at} />
    </Note>
  )
}

/** The first record that is not what it was, with the way to it. */
function Found({ of }: { of: NonNullable<Checked['broken']> }) {
  const t = useWords()
  const name =
    of.kind === 'document' && of.type !== null
      ? `${t(`documents.types.${of.type}`)} ${of.number ?? ''}`
      : of.day
        ? t('proof.entryOf', { day: formatDay(of.day), reference: of.reference })
        : t(`proof.kind.${of.kind}`)
  return (
    <Note
      tone="late"
      {...(of.kind === 'document' && of.type !== null
        ? {
            action: (
              <Button size="s" href={`/invoice/preview/${of.recordId}`}>
                {t('proof.open')}
              </Button>
            ),
          }
        : {})}
    >
      {t(`proof.why.${of.why}`, { name, seq: of.seq })}
    </Note>
  )
}

function SendDialog({ month, onClose }: { month: string; onClose: () => void }) {
  const t = useWords()
  const [recipient, setRecipient] = useState('')
  return (
    <FormDialog
      title={t('proof.sendTitle', { month: monthText(month) })}
      verb={t('proof.send')}
      icon={Send}
      names={['recipient']}
      onClose={onClose}
      onSubmit={async () => {
        await call(sendRoot, { month, recipient: recipient.trim() })
        toast(t('proof.sent'))
        onClose()
      }}
    >
      {(refusal) => (
        <>
          <p className="sub">{t('proof.sendText')}</p>
          <TextField
            label={t('proof.recipient')}
            value={recipient}
            onChange={setRecipient}
            type="email"
            ltr
            {...refusal('recipient', recipient)}
            autoFocus
          />
        </>
      )}
    </FormDialog>
  )
}

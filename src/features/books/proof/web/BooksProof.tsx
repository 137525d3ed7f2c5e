import { CircleCheck, Copy, Send, ShieldCheck } from 'lucide-react'
import { useRef, useState } from 'react'
import { formatDay, formatNumber } from '#domain/format.ts'
import { call, failureText, keyOf, queryClient, useCall } from '#kit/web/call.ts'
import { MomentCell } from '#kit/web/fields/cells.tsx'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Card } from '#kit/web/parts/Card.tsx'
import { DataTable } from '#kit/web/parts/DataTable.tsx'
import { Dialog } from '#kit/web/parts/Dialog.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { Failed } from '#kit/web/parts/Failed.tsx'
import { Figure, Figures } from '#kit/web/parts/Figure.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { toast } from '#kit/web/parts/notices.ts'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { ProgressRow } from '#kit/web/parts/ProgressRow.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { useCopy } from '#kit/web/useCopy.ts'
import { useWords } from '#kit/web/words.tsx'
import { checkProof, sendRoot, showProof, type Checked, type Proof } from '../endpoints.ts'

const monthText = (month: string) => `${month.slice(5)}/${month.slice(0, 4)}`

/** That nothing issued was changed since: the chain's length, its root by month, and the check by whoever wants to know. */
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
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const send = async () => {
    setBusy(true)
    setProblem(undefined)
    try {
      await call(sendRoot, { month, recipient: recipient.trim() })
      toast(t('proof.sent'))
      onClose()
    } catch (e) {
      setProblem(failureText(t, e))
    }
    setBusy(false)
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={t('proof.sendTitle', { month: monthText(month) })}
      form
      actions={
        <>
          <Button onPress={onClose}>{t('kit.forms.cancel')}</Button>
          <Button kind="primary" icon={Send} busy={busy} onPress={() => void send()}>
            {t('proof.send')}
          </Button>
        </>
      }
    >
      <p className="sub">{t('proof.sendText')}</p>
      <TextField
        label={t('proof.recipient')}
        value={recipient}
        onChange={setRecipient}
        type="email"
        ltr
        error={problem}
        autoFocus
      />
    </Dialog>
  )
}

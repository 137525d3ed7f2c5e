import { BellOff, BellRing } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-aria-components/Link'
import { formatDay } from '#domain/format.ts'
import { call, failureText, keyOf, queryClient, useCall } from '#kit/web/calls/call.ts'
import { MomentCell } from '#kit/web/fields/cells.tsx'
import { DayField } from '#kit/web/fields/DayField.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { DataTable } from '#kit/web/parts/DataTable.tsx'
import { Dialog } from '#kit/web/parts/Dialog.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { Money } from '#kit/web/parts/Figure.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { StatusPill } from '#kit/web/parts/Status.tsx'
import type { AnyRow } from '#kit/web/screens/resources.ts'
import { useCan } from '#kit/web/session/session.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { paperName } from '#features/sales/documents/web/index.tsx'
import { pauseReminders, remindersOfCustomer } from '../endpoints.ts'
import './reminders.css'
import { stepName } from './stepName.ts'

/** On a customer card: whether reminders are sent to the customer, which were sent, and how to pause them. */
export function Panel({ row: { id } }: { row: AnyRow }) {
  const t = useWords()
  const mayChange = useCan()('reminders.change')
  const { data, error } = useCall(remindersOfCustomer, { id })
  const [asks, setAsks] = useState(false)
  const [until, setUntil] = useState<string | null>(null)
  const [problem, setProblem] = useState<string>()
  if (error && !data) return <Note tone="late">{failureText(t, error)}</Note>
  if (!data) return <Skeleton lines={4} />
  const put = async (paused: boolean) => {
    setProblem(undefined)
    try {
      await call(pauseReminders, { id, paused, until: paused ? until : null })
      await queryClient.invalidateQueries({ queryKey: keyOf(remindersOfCustomer) })
      setAsks(false)
    } catch (e) {
      setProblem(failureText(t, e))
    }
  }
  const said = data.paused
    ? data.until
      ? t('reminders.customer.pausedUntil', { day: formatDay(data.until) })
      : t('reminders.customer.pausedForGood')
    : t(data.isOn ? 'reminders.customer.on' : 'reminders.customer.off')
  return (
    <div className="rm-stack">
      <div className="rm-line">
        <span>{said}</span>
        {mayChange &&
          (data.paused ? (
            <Button size="s" icon={BellRing} onPress={() => void put(false)}>
              {t('reminders.customer.goOn')}
            </Button>
          ) : (
            <Button size="s" icon={BellOff} onPress={() => setAsks(true)}>
              {t('reminders.customer.pause')}
            </Button>
          ))}
      </div>
      {problem && !asks && <Note tone="late">{problem}</Note>}
      <DataTable
        label={t('reminders.title')}
        rows={data.rows}
        rowKey={(row) => `${row.day}${row.documents[0]?.id ?? ''}`}
        empty={<EmptyState icon={BellRing} title={t('reminders.customer.empty')} />}
        columns={[
          {
            key: 'day',
            title: t('reminders.fields.sent'),
            width: 'fit',
            strong: true,
            cell: (row) => <Num>{formatDay(row.day)}</Num>,
            phone: 'title',
          },
          {
            key: 'days',
            title: t('reminders.steps'),
            width: 'fit',
            cell: (row) => stepName(t, row.days),
            phone: 'line',
          },
          {
            key: 'debts',
            title: t('reminders.fields.debts'),
            width: 'trim',
            cell: (row) =>
              row.documents.map((one) => (
                <Link key={one.id} className="link rm-paper" href={`/invoice/preview/${one.id}`}>
                  {paperName(t, one)}
                </Link>
              )),
          },
          {
            key: 'open',
            title: t('reminders.fields.openAgorot'),
            align: 'amount',
            cell: (row) => <Money amount={row.openAgorot} />,
            phone: 'amount',
          },
          {
            key: 'state',
            title: t('reminders.fields.state'),
            width: 'fit',
            cell: (row) => <StatusPill>{t(`messages.state.${row.state}`)}</StatusPill>,
            phone: 'state',
          },
          {
            key: 'opened',
            title: t('reminders.fields.opened'),
            width: 'fit',
            cell: (row) => <MomentCell value={row.openedAt} />,
          },
        ]}
      />
      {asks && (
        <Dialog
          isOpen
          form
          onClose={() => setAsks(false)}
          title={t('reminders.customer.pause')}
          actions={
            <>
              <Button kind="quiet" onPress={() => setAsks(false)}>
                {t('kit.actions.back')}
              </Button>
              <Button kind="primary" onPress={() => void put(true)}>
                {t('reminders.customer.pause')}
              </Button>
            </>
          }
        >
          <DayField
            label={t('reminders.customer.until')}
            hint={t('reminders.customer.untilHint')}
            optional
            value={until}
            onChange={setUntil}
            error={problem}
          />
        </Dialog>
      )}
    </div>
  )
}

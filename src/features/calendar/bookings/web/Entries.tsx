import { Ban, FileHeart, HeartPulse, Search, ShieldCheck, Ticket, Undo2 } from 'lucide-react'
import { useDeferredValue, useState } from 'react'
import type { Day } from '#domain/day.ts'
import { formatDay, formatMoment } from '#domain/format.ts'
import { call, failureText, useCall } from '#kit/web/calls/call.ts'
import { MoneyCell, TextCell } from '#kit/web/fields/cells.tsx'
import { DayField } from '#kit/web/fields/DayField.tsx'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { DataTable } from '#kit/web/parts/DataTable.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { Failed } from '#kit/web/parts/Failed.tsx'
import { FormDialog } from '#kit/web/parts/FormDialog.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { show } from '#kit/web/parts/shown.ts'
import { StatusPill } from '#kit/web/parts/Status.tsx'
import { Views } from '#kit/web/parts/Views.tsx'
import { go, usePlace } from '#kit/web/routes/place.ts'
import { useCan } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { passText, SellDialog } from '#features/calendar/passes/web/index.tsx'
import { refreshClasses } from '#features/calendar/timetable/web/index.tsx'
import { AskDialog } from '#features/sales/signing/web/index.tsx'
import { askHealth, ban, bringLetter, listEntries, unban, type EntryView } from '../endpoints.ts'
import { refusalText } from './People.tsx'
import './bookings.css'

const views = ['all', 'refused', 'ending'] as const

/** Who may come in and who may not, and why: the pass, the debt, the declaration of health. */
export function Screen() {
  const t = useWords()
  const may = useCan()
  const { query, setQuery } = usePlace()
  const only = views.find((one) => one === query.only) ?? 'all'
  const [typed, setTyped] = useState('')
  const q = useDeferredValue(typed.trim())
  const { data, error, refetch, isLoading } = useCall(
    listEntries,
    { ...(q.length > 1 ? { q } : {}), only },
    { placeholderData: (old) => old },
  )
  const did = (work: Promise<unknown>) =>
    void work.then(() => refreshClasses()).catch((e: unknown) => banner.error(failureText(t, e)))
  return (
    <>
      <PageHeader title={t('screens.classEntries')}>
        <Views
          label={t('screens.classEntries')}
          value={only}
          onChange={(next) => setQuery({ only: next === 'all' ? undefined : next })}
          views={views.map((key) => ({ key, label: t(`bookings.entry.${key}`) }))}
        />
      </PageHeader>
      <div className="bk-desk">
        <TextField
          label={t('bookings.find')}
          icon={Search}
          value={typed}
          onChange={setTyped}
          placeholder={t('bookings.findHint')}
        />
      </div>
      {error && !data ? (
        <Failed error={error} onRetry={refetch} />
      ) : (
        <DataTable
          label={t('screens.classEntries')}
          main
          rows={data?.rows ?? []}
          rowKey={(row) => row.customerId}
          rowName={(row) => row.customerName}
          loading={isLoading}
          onOpen={(row) => go(`/invoice/invoiceCustomer/${row.customerId}/passes`)}
          empty={
            <EmptyState icon={ShieldCheck} title={t('bookings.entry.empty')}>
              {t('bookings.entry.emptyText')}
            </EmptyState>
          }
          menu={(row) => [
            ...(may('passes.change')
              ? [
                  {
                    key: 'sell',
                    label: t('passes.sell'),
                    icon: Ticket,
                    onPress: () =>
                      show((close) => (
                        <SellDialog
                          customer={{ key: row.customerId, label: row.customerName }}
                          onClose={close}
                        />
                      )),
                  },
                ]
              : []),
            {
              key: 'health',
              label: t('bookings.entry.askHealth'),
              icon: HeartPulse,
              onPress: () => show((close) => <HealthDialog of={row} onClose={close} />),
            },
            ...(row.needsLetter || row.refusals.includes('health')
              ? [
                  {
                    key: 'letter',
                    label: t('bookings.entry.bringLetter'),
                    icon: FileHeart,
                    onPress: () => show((close) => <LetterDialog of={row} onClose={close} />),
                  },
                ]
              : []),
            ...(may('calendar.override')
              ? row.ban
                ? [
                    {
                      key: 'unban',
                      label: t('bookings.entry.unban'),
                      icon: Undo2,
                      onPress: () => did(call(unban, { customerId: row.customerId })),
                    },
                  ]
                : [
                    {
                      key: 'ban',
                      label: t('bookings.entry.ban'),
                      icon: Ban,
                      tone: 'danger' as const,
                      onPress: () => show((close) => <BanDialog of={row} onClose={close} />),
                    },
                  ]
              : []),
          ]}
          columns={[
            {
              key: 'name',
              title: t('passes.fields.customerId'),
              strong: true,
              phone: 'title',
              cell: (row) => <bdi>{row.customerName}</bdi>,
            },
            {
              key: 'may',
              title: t('bookings.entry.may'),
              width: 'fit',
              phone: 'state',
              cell: (row) => (
                <StatusPill tone={row.may ? 'done' : 'late'}>
                  {row.may ? (
                    t('bookings.entry.yes')
                  ) : (
                    <span title={refusalText(t, row.refusals)}>
                      {refusalText(t, row.refusals.slice(0, 1))}
                      {row.refusals.length > 1 && ` +${row.refusals.length - 1}`}
                    </span>
                  )}
                </StatusPill>
              ),
            },
            {
              key: 'pass',
              title: t('passes.title'),
              width: 'trim',
              phone: 'line',
              cell: (row) => <TextCell value={row.passes[0] ? passText(t, row.passes[0]) : row.ban} />,
            },
            {
              key: 'debt',
              title: t('bookings.entry.debt'),
              align: 'amount',
              phone: 'amount',
              cell: (row) => (row.debtAgorot ? <MoneyCell value={row.debtAgorot} /> : ''),
            },
            {
              key: 'healthUntil',
              title: t('bookings.entry.healthUntil'),
              width: 'fit',
              cell: (row) =>
                row.needsLetter ? (
                  t('bookings.entry.needsLetter')
                ) : row.healthUntil ? (
                  <Num>{formatDay(row.healthUntil)}</Num>
                ) : (
                  ''
                ),
            },
            {
              key: 'next',
              title: t('bookings.entry.next'),
              width: 'fit',
              cell: (row) => (row.nextClass ? <Num>{formatMoment(new Date(row.nextClass))}</Num> : ''),
            },
          ]}
        />
      )}
    </>
  )
}

/** The paper is signed at the desk, on this device or the customer's own phone. */
function HealthDialog({ of, onClose }: { of: EntryView; onClose: () => void }) {
  const t = useWords()
  return (
    <AskDialog
      title={t('bookings.entry.healthOf', { name: of.customerName })}
      customerId={of.customerId}
      ask={(given) => call(askHealth, { customerId: of.customerId, ...given })}
      onClose={onClose}
    />
  )
}

function LetterDialog({ of, onClose }: { of: EntryView; onClose: () => void }) {
  const t = useWords()
  const [until, setUntil] = useState<Day | null>(null)
  return (
    <FormDialog
      title={t('bookings.entry.bringLetter')}
      verb={t('kit.forms.save')}
      names={['letterUntil']}
      onClose={onClose}
      onSubmit={async () => {
        await call(bringLetter, { customerId: of.customerId, letterUntil: until ?? '' })
        await refreshClasses()
        onClose()
      }}
    >
      {(error) => (
        <>
          <p>{t('bookings.entry.letterText')}</p>
          <DayField
            label={t('bookings.entry.letterUntil')}
            value={until}
            onChange={setUntil}
            {...error('letterUntil', until)}
          />
        </>
      )}
    </FormDialog>
  )
}

function BanDialog({ of, onClose }: { of: EntryView; onClose: () => void }) {
  const t = useWords()
  const [why, setWhy] = useState('')
  return (
    <FormDialog
      title={t('bookings.entry.banOf', { name: of.customerName })}
      verb={t('bookings.entry.ban')}
      danger
      names={['why']}
      onClose={onClose}
      onSubmit={async () => {
        await call(ban, { customerId: of.customerId, why })
        await refreshClasses()
        onClose()
      }}
    >
      {(error) => (
        <TextField
          label={t('bookings.entry.why')}
          value={why}
          onChange={setWhy}
          max={200}
          {...error('why', why)}
        />
      )}
    </FormDialog>
  )
}

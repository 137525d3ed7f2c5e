import { Ticket, Users } from 'lucide-react'
import { useState } from 'react'
import { formatDay, formatMoment } from '#domain/format.ts'
import type { Day } from '#domain/day.ts'
import { useToday } from '#kit/web/hooks/clock.ts'
import { dotted } from '#kit/web/words/dotted.ts'
import { call, failureText, useCall } from '#kit/web/calls/call.ts'
import { MoneyCell } from '#kit/web/fields/cells.tsx'
import { DayField } from '#kit/web/fields/DayField.tsx'
import { WholeField } from '#kit/web/fields/NumberFields.tsx'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { DataTable } from '#kit/web/parts/DataTable.tsx'
import { Question, SideSheet } from '#kit/web/parts/Dialog.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { Failed } from '#kit/web/parts/Failed.tsx'
import { FormDialog } from '#kit/web/parts/FormDialog.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { show } from '#kit/web/parts/shown.ts'
import { go } from '#kit/web/routes/place.ts'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { StatusPill, type StatusTone } from '#kit/web/parts/Status.tsx'
import { useCan } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords, type Words } from '#kit/web/words/words.tsx'
import { packages } from '#features/registers/parties/holdings.ts'
import { refreshClasses } from '#features/calendar/timetable/web/index.tsx'
import {
  endPass,
  fixPass,
  freezePass,
  getPass,
  listPasses,
  unfreezePass,
  type PassRenewal,
  type PassView,
} from '../endpoints.ts'
import { SellDialog } from './SellDialog.tsx'
import '#features/calendar/timetable/web/timetable.css'

const tones: Record<PassView['state'], StatusTone> = {
  active: 'done',
  ahead: 'info',
  frozen: 'wait',
  unpaid: 'wait',
  ended: 'plain',
}

type Line = Pick<PassView, 'kindName' | 'left' | 'toDay'>

/** The same as a text, for a cell. */
export const passText = (t: Words, of: Line): string =>
  dotted([
    of.kindName,
    of.left === null ? t('passes.unlimited') : t('passes.left', { count: of.left }),
    t('passes.until', { day: formatDay(of.toDay) }),
  ])

/** A pass in a line: what is left of it and to when. */
function PassLine({ of }: { of: Line }) {
  const t = useWords()
  return (
    <span>
      <bdi>{of.kindName}</bdi> ·{' '}
      {of.left === null ? t('passes.unlimited') : t('passes.left', { count: of.left })} ·{' '}
      {t('passes.until', { day: formatDay(of.toDay) })}
    </span>
  )
}

/** Passes, and one of them beside the list with every visit in and out. */
export function PassList({
  customer,
  state,
}: {
  customer?: { key: string; label: string }
  state?: 'running' | 'ending' | 'ended'
}) {
  const t = useWords()
  const can = useCan()
  const may = can('passes.change')
  const { data, isLoading, error, refetch } = useCall(listPasses, {
    ...(customer ? { customerId: customer.key } : {}),
    ...(state ? { state } : {}),
  })
  const [opened, setOpened] = useState<string>()
  const sell = () => show((close) => <SellDialog {...(customer ? { customer } : {})} onClose={close} />)
  return (
    <div className="tt-stack">
      {(may || !customer) && (
        <div className="tt-days">
          {may && (
            <Button icon={Ticket} onPress={sell}>
              {t('passes.sell')}
            </Button>
          )}
          {!customer && can('customers.see') && (
            <Button kind="quiet" icon={Users} href={packages.screens.list}>
              {t('passes.holders')}
            </Button>
          )}
        </div>
      )}
      {error ? (
        <Failed error={error} onRetry={refetch} />
      ) : (
        <DataTable
          label={t('passes.title')}
          rows={data?.rows ?? []}
          rowKey={(row) => row.id}
          rowName={(row) => `${row.kindName} ${row.customerName}`}
          onOpen={(row) => setOpened(row.id)}
          isOff={(row) => row.state === 'ended'}
          loading={isLoading}
          empty={
            <EmptyState icon={Ticket} title={t('passes.empty')}>
              {t('passes.emptyText')}
            </EmptyState>
          }
          columns={[
            {
              key: 'kind',
              title: t('passes.fields.kindId'),
              strong: true,
              phone: 'title',
              cell: (row) => <bdi>{row.kindName}</bdi>,
            },
            ...(customer
              ? []
              : [
                  {
                    key: 'customer',
                    title: t('passes.fields.customerId'),
                    phone: 'line' as const,
                    cell: (row: PassView) => <bdi>{row.customerName}</bdi>,
                  },
                ]),
            {
              key: 'left',
              title: t('passes.fields.left'),
              align: 'amount',
              phone: 'amount',
              cell: (row) => (row.left === null ? '∞' : <Num>{`${row.left}/${row.visits}`}</Num>),
            },
            {
              key: 'to',
              title: t('passes.fields.toDay'),
              width: 'fit',
              phone: 'line',
              cell: (row) => <Num>{formatDay(row.toDay)}</Num>,
            },
            {
              key: 'price',
              title: t('passes.fields.priceAgorot'),
              align: 'amount',
              cell: (row) => <MoneyCell value={row.priceAgorot} />,
            },
            {
              key: 'state',
              title: t('passes.fields.state'),
              width: 'fit',
              phone: 'state',
              cell: (row) => (
                <StatusPill tone={tones[row.state]}>{t(`passes.state.${row.state}`)}</StatusPill>
              ),
            },
          ]}
        />
      )}
      {data && data.renewals.length > 0 && <Renewals rows={data.renewals} named={!customer} />}
      {opened && <PassSheet id={opened} onClose={() => setOpened(undefined)} />}
    </div>
  )
}

/** Standing orders that bring passes, each with its state: one whose charge failed has no next charge. */
function Renewals({ rows, named }: { rows: readonly PassRenewal[]; named: boolean }) {
  const t = useWords()
  const sees = useCan()('standingOrders.see')
  return (
    <section className="tt-stack">
      <h2>{t('passes.renewals')}</h2>
      <DataTable
        label={t('passes.renewals')}
        rows={rows}
        rowKey={(row) => row.orderId}
        rowName={(row) => `${row.kindName} ${row.customerName}`}
        {...(sees ? { onOpen: (row: PassRenewal) => go(`/invoice/retainers/${row.orderId}`) } : {})}
        columns={[
          {
            key: 'kind',
            title: t('passes.fields.kindId'),
            strong: true,
            phone: 'title',
            cell: (row) => <bdi>{row.kindName}</bdi>,
          },
          ...(named
            ? [
                {
                  key: 'customer',
                  title: t('passes.fields.customerId'),
                  phone: 'line' as const,
                  cell: (row: PassRenewal) => <bdi>{row.customerName}</bdi>,
                },
              ]
            : []),
          {
            key: 'price',
            title: t('passes.fields.priceAgorot'),
            align: 'amount',
            phone: 'amount',
            cell: (row) => <MoneyCell value={row.sumAgorot} />,
          },
          {
            key: 'state',
            title: t('passes.fields.state'),
            width: 'fit',
            phone: 'state',
            cell: (row) => (
              <StatusPill tone={row.state === 'active' ? 'done' : row.state === 'failing' ? 'late' : 'wait'}>
                {t(`passes.renewal.${row.state}`, { day: row.nextDay ? formatDay(row.nextDay) : '' })}
              </StatusPill>
            ),
          },
        ]}
      />
    </section>
  )
}

function PassSheet({ id, onClose }: { id: string; onClose: () => void }) {
  const t = useWords()
  const may = useCan()('passes.change')
  const { data, error, refetch } = useCall(getPass, { id })
  const [ends, setEnds] = useState(false)
  const did = (work: Promise<unknown>) =>
    void work.then(() => refreshClasses()).catch((e: unknown) => banner.error(failureText(t, e)))
  const row = data?.row
  return (
    <SideSheet
      isOpen
      onClose={onClose}
      title={row ? `${row.kindName} · ${row.customerName}` : t('passes.title')}
    >
      {error ? (
        <Failed error={error} onRetry={refetch} />
      ) : !row ? (
        <Skeleton lines={6} />
      ) : (
        <div className="tt-stack">
          <p>
            <StatusPill tone={tones[row.state]}>{t(`passes.state.${row.state}`)}</StatusPill>{' '}
            <PassLine of={row} />
          </p>
          {row.people.length > 0 && (
            <p>{t('passes.with', { names: row.people.map(({ name }) => name).join(', ') })}</p>
          )}
          {may && row.state !== 'ended' && (
            <div className="tt-days">
              {row.freezeDays > 0 && (
                <Button size="s" onPress={() => show((close) => <FreezeDialog of={row} onClose={close} />)}>
                  {t('passes.freeze')}
                </Button>
              )}
              {row.visits !== null && (
                <Button size="s" onPress={() => show((close) => <FixDialog id={row.id} onClose={close} />)}>
                  {t('passes.fix')}
                </Button>
              )}
              <Button size="s" kind="danger" onPress={() => setEnds(true)}>
                {t('passes.end')}
              </Button>
            </div>
          )}
          {data.freezes.length > 0 && (
            <ul className="tt-stack">
              {data.freezes.map((one) => (
                <li key={one.id} className="tt-days">
                  {t('passes.frozen', { from: formatDay(one.fromDay), to: formatDay(one.toDay) })}
                  {may && (
                    <button
                      type="button"
                      className="link aim"
                      onClick={() => did(call(unfreezePass, { id, freezeId: one.id }))}
                    >
                      {t('kit.actions.remove')}
                    </button>
                  )}
                </li>
              ))}
            </ul>
          )}
          <DataTable
            label={t('passes.moves')}
            rows={data.moves}
            rowKey={(one) => `${one.at}${one.why}${one.visits}`}
            columns={[
              {
                key: 'at',
                title: t('passes.fields.at'),
                width: 'fit',
                phone: 'line',
                cell: (one) => <Num>{formatMoment(new Date(one.at))}</Num>,
              },
              {
                key: 'why',
                title: t('passes.fields.why'),
                strong: true,
                phone: 'title',
                cell: (one) => (
                  <span className="tt-wrap">
                    {dotted([
                      t(`passes.why.${one.why}`),
                      one.className,
                      one.classDay && formatDay(one.classDay),
                      one.note,
                    ])}
                  </span>
                ),
              },
              { key: 'by', title: t('passes.fields.by'), cell: (one) => one.by ?? '' },
              {
                key: 'visits',
                title: t('passes.fields.visits'),
                align: 'amount',
                phone: 'amount',
                cell: (one) => <Num>{one.visits > 0 ? `+${one.visits}` : one.visits}</Num>,
              },
            ]}
          />
          <Question
            isOpen={ends}
            onClose={() => setEnds(false)}
            title={t('passes.endAsk')}
            verb={t('passes.end')}
            danger
            onConfirm={() => (setEnds(false), did(call(endPass, { id })))}
          >
            {t('passes.endText')}
          </Question>
        </div>
      )}
    </SideSheet>
  )
}

function FreezeDialog({ of, onClose }: { of: PassView; onClose: () => void }) {
  const t = useWords()
  const today = useToday()
  const [from, setFrom] = useState<Day | null>(today)
  const [to, setTo] = useState<Day | null>(null)
  return (
    <FormDialog
      title={t('passes.freeze')}
      verb={t('passes.freeze')}
      names={['fromDay', 'toDay']}
      onClose={onClose}
      onSubmit={async () => {
        await call(freezePass, { id: of.id, fromDay: from ?? '', toDay: to ?? '' })
        await refreshClasses()
        onClose()
      }}
    >
      {(error) => (
        <>
          <p>{t('passes.freezeText', { count: of.freezeDays - of.frozenDays })}</p>
          <div className="tt-two">
            <DayField
              label={t('timetable.block.fromDay')}
              value={from}
              onChange={setFrom}
              {...error('fromDay', from)}
            />
            <DayField
              label={t('timetable.block.toDay')}
              value={to}
              onChange={setTo}
              {...error('toDay', to)}
            />
          </div>
        </>
      )}
    </FormDialog>
  )
}

function FixDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const t = useWords()
  const [visits, setVisits] = useState<number | null>(null)
  const [note, setNote] = useState('')
  return (
    <FormDialog
      title={t('passes.fix')}
      verb={t('kit.forms.save')}
      names={['visits', 'note']}
      onClose={onClose}
      onSubmit={async () => {
        await call(fixPass, { id, visits: visits ?? 0, note })
        await refreshClasses()
        onClose()
      }}
    >
      {(error) => (
        <>
          <WholeField
            label={t('passes.fixVisits')}
            value={visits}
            onChange={setVisits}
            {...error('visits', visits)}
          />
          <TextField
            label={t('passes.fixNote')}
            value={note}
            onChange={setNote}
            max={200}
            {...error('note', note)}
          />
        </>
      )}
    </FormDialog>
  )
}

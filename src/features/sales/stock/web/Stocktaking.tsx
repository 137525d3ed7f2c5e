import { ClipboardCheck, ClipboardList, Plus, Repeat2, Smartphone, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { formatDay } from '#domain/format.ts'
import { call, failureText, useCall } from '#kit/web/calls/call.ts'
import { MoneyCell, TextCell } from '#kit/web/fields/cells.tsx'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { FlagField } from '#kit/web/fields/FlagField.tsx'
import { MoneyField } from '#kit/web/fields/NumberFields.tsx'
import { RefField } from '#kit/web/fields/RefField.tsx'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Card } from '#kit/web/parts/Card.tsx'
import { DataTable } from '#kit/web/parts/DataTable.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { FormDialog } from '#kit/web/parts/FormDialog.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { StatusPill } from '#kit/web/parts/Status.tsx'
import { go, usePlace } from '#kit/web/routes/place.ts'
import { ReportScreen } from '#kit/web/screens/ReportScreen.tsx'
import { resourceNamed, searchIn } from '#kit/web/screens/resources.ts'
import { useCan } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import * as calls from '../counts.ts'
import type { Count, CountSummary } from '../counts.ts'
import { Counting } from './Counting.tsx'
import { manyOf, PlaceField, refreshStock, type Chosen } from './parts.tsx'
import './stock.css'

const home = '/invoice/stocktaking'

/** Counts of stock; one of them, to be counted or approved; its list to be kept. */
export function Screen() {
  const t = useWords()
  const { query } = usePlace()
  if (query.count && query.part === 'phone') return <Counting key={query.count} id={query.count} />
  if (query.count && query.part === 'list')
    return (
      <>
        <PageHeader
          title={t('stock.count.yearly')}
          crumbs={[{ label: t('screens.stocktaking'), href: home }]}
        />
        <ReportScreen name="stockCountList" bare main fixed={{ count: query.count }} />
      </>
    )
  return query.count ? <One key={query.count} id={query.count} /> : <List />
}

function State({ of }: { of: Pick<CountSummary, 'state'> }) {
  const t = useWords()
  return (
    <StatusPill tone={of.state === 'approved' ? 'done' : of.state === 'counting' ? 'wait' : 'draft'}>
      {t(`stock.count.state.${of.state}`)}
    </StatusPill>
  )
}

function List() {
  const t = useWords()
  const may = useCan()('stock.approve')
  const { data, isLoading, error } = useCall(calls.listCounts, {})
  const [opens, setOpens] = useState(false)
  return (
    <>
      <PageHeader
        title={t('screens.stocktaking')}
        actions={
          may && (
            <Button kind="primary" icon={Plus} onPress={() => setOpens(true)}>
              {t('stock.count.new')}
            </Button>
          )
        }
      />
      {error && !data ? (
        <Note tone="late">{failureText(t, error)}</Note>
      ) : (
        <DataTable
          label={t('screens.stocktaking')}
          main
          rows={data?.rows ?? []}
          rowKey={(row) => row.id}
          rowName={(row) => row.name}
          rowHref={(row) => `${home}?count=${row.id}`}
          onOpen={(row) => go(`${home}?count=${row.id}`)}
          isOff={(row) => row.state === 'dropped'}
          loading={isLoading}
          empty={
            <EmptyState icon={ClipboardList} title={t('stock.count.none')}>
              {t('stock.count.noneText')}
            </EmptyState>
          }
          columns={[
            {
              key: 'number',
              title: t('stock.transfer.number'),
              width: 'fit',
              cell: (row) => <Num>{row.number}</Num>,
            },
            {
              key: 'name',
              title: t('stock.count.name'),
              strong: true,
              width: 'trim',
              phone: 'title',
              cell: (row) => <TextCell value={row.name} />,
            },
            {
              key: 'day',
              title: t('stock.day'),
              width: 'fit',
              phone: 'line',
              cell: (row) => <Num>{formatDay(row.day)}</Num>,
            },
            {
              key: 'place',
              title: t('stock.place'),
              width: 'trim',
              cell: (row) => <TextCell value={row.place ?? row.category ?? t('stock.count.all')} />,
            },
            {
              key: 'counted',
              title: t('stock.count.counted'),
              align: 'amount',
              cell: (row) => <Num>{`${row.counted}/${row.lines}`}</Num>,
            },
            {
              key: 'state',
              title: t('stock.transfer.state'),
              width: 'fit',
              phone: 'state',
              cell: (row) => <State of={row} />,
            },
            {
              key: 'gap',
              title: t('stock.count.gapSum'),
              align: 'amount',
              phone: 'amount',
              cell: (row) => row.gapAgorot !== null && <MoneyCell value={row.gapAgorot} />,
            },
          ]}
        />
      )}
      {opens && <BeginDialog onClose={() => setOpens(false)} />}
    </>
  )
}

function BeginDialog({ onClose }: { onClose: () => void }) {
  const t = useWords()
  const [name, setName] = useState('')
  const [place, setPlace] = useState<Chosen | null>(null)
  const [category, setCategory] = useState<Chosen | null>(null)
  const [blind, setBlind] = useState(true)
  return (
    <FormDialog
      title={t('stock.count.new')}
      verb={t('stock.count.begin')}
      names={['name', 'placeId', 'categoryId', 'isBlind']}
      onClose={onClose}
      onSubmit={async () => {
        const { id } = await call(calls.beginCount, {
          name,
          isBlind: blind,
          ...(place ? { placeId: place.key } : {}),
          ...(category ? { categoryId: category.key } : {}),
        })
        await refreshStock()
        go(`${home}?count=${id}`)
      }}
    >
      {(error) => (
        <div className="st-form">
          <p>{t('stock.count.beginText')}</p>
          <TextField
            label={t('stock.count.name')}
            value={name}
            onChange={setName}
            max={80}
            {...error('name', name)}
          />
          <PlaceField
            label={t('stock.place')}
            optional
            value={place}
            onChange={setPlace}
            {...error('placeId', place)}
          />
          <RefField
            label={t('stock.count.category')}
            optional
            clearable
            value={category}
            onChange={(option) => setCategory(option && { key: option.key, label: option.label })}
            search={searchIn(resourceNamed('categories')!)}
            {...error('categoryId', category)}
          />
          <FlagField
            label={t('stock.count.isBlind')}
            hint={t('stock.count.isBlindHint')}
            value={blind}
            onChange={setBlind}
          />
        </div>
      )}
    </FormDialog>
  )
}

function One({ id }: { id: string }) {
  const t = useWords()
  const may = useCan()
  const { data, error } = useCall(calls.getCount, { id })
  const [opens, setOpens] = useState<'approve' | 'second'>()
  const crumbs = [{ label: t('screens.stocktaking'), href: home }]
  if (!data)
    return (
      <>
        <PageHeader title={t('screens.stocktaking')} crumbs={crumbs} />
        {error ? <Note tone="late">{failureText(t, error)}</Note> : <Skeleton lines={8} />}
      </>
    )
  const drop = async () => {
    try {
      await call(calls.dropCount, { id })
      await refreshStock()
      go(home)
    } catch (e) {
      banner.error(failureText(t, e))
    }
  }
  const isOpen = data.state === 'counting'
  const decides = may('stock.approve')
  const apart = data.rows.filter((row) => row.gap !== null && row.gap !== '0')
  const shown =
    decides && data.counted > 0 ? [...apart, ...data.rows.filter((row) => !apart.includes(row))] : data.rows
  return (
    <>
      <PageHeader
        title={data.name}
        crumbs={crumbs}
        status={<State of={data} />}
        sub={
          <>
            {t('stock.count.of', { counted: data.counted, lines: data.lines })} ·{' '}
            <Num>{formatDay(data.day)}</Num> · {data.place ?? data.category ?? t('stock.count.all')}
          </>
        }
        actions={
          isOpen && (
            <>
              {decides && (
                <Button icon={ClipboardCheck} onPress={() => setOpens('approve')}>
                  {t('stock.count.approve')}
                </Button>
              )}
              <Button kind="primary" icon={Smartphone} href={`${home}?count=${id}&part=phone`}>
                {t('stock.count.go')}
              </Button>
            </>
          )
        }
        more={[
          {
            key: 'list',
            label: t('stock.count.yearly'),
            icon: ClipboardList,
            onPress: () => go(`${home}?count=${id}&part=list`),
          },
          ...(isOpen && decides
            ? [
                {
                  key: 'second',
                  label: t('stock.count.second'),
                  icon: Repeat2,
                  onPress: () => setOpens('second'),
                },
                { key: 'drop', label: t('stock.count.drop'), icon: Trash2, onPress: () => void drop() },
              ]
            : []),
        ]}
      />
      <div className="st-stack">
        {data.late.length > 0 && <Late of={data} />}
        <DataTable
          label={t('stock.count.sheet')}
          main
          rows={shown}
          rowKey={(row) => `${row.itemId} ${row.placeId} ${row.batchId}`}
          rowName={(row) => row.item}
          rowHref={(row) => `/invoice/stockproducts/${row.itemId}`}
          onOpen={(row) => go(`/invoice/stockproducts/${row.itemId}`)}
          columns={[
            {
              key: 'item',
              title: t('stock.item'),
              strong: true,
              width: 'trim',
              phone: 'title',
              cell: (row) => <TextCell value={row.item} />,
            },
            {
              key: 'sku',
              title: t('items.fields.sku'),
              width: 'fit',
              cell: (row) => row.sku && <Num>{row.sku}</Num>,
            },
            {
              key: 'place',
              title: t('stock.place'),
              width: 'trim',
              phone: 'line',
              cell: (row) => <TextCell value={row.batch ? `${row.place} · ${row.batch}` : row.place} />,
            },
            {
              key: 'book',
              title: t('stock.count.bookHead'),
              align: 'amount',
              cell: (row) =>
                row.book === null ? <span className="hint">–</span> : <Num>{manyOf(row.book)}</Num>,
            },
            {
              key: 'counted',
              title: t('stock.count.counted'),
              align: 'amount',
              phone: 'amount',
              cell: (row) =>
                row.counted === null ? <span className="hint">–</span> : <Num>{manyOf(row.counted)}</Num>,
            },
            {
              key: 'gap',
              title: t('stock.count.gap'),
              align: 'amount',
              cell: (row) => row.gap !== null && <Num>{manyOf(row.gap)}</Num>,
            },
            {
              key: 'sum',
              title: t('stock.count.gapSum'),
              align: 'amount',
              cell: (row) => row.gapAgorot !== null && <MoneyCell value={row.gapAgorot} />,
            },
            {
              key: 'state',
              title: t('stock.transfer.state'),
              width: 'fit',
              phone: 'state',
              cell: (row) => row.wantsSecond && <StatusPill tone="wait">{t('stock.count.again')}</StatusPill>,
            },
          ]}
        />
      </div>
      {opens === 'approve' && <ApproveDialog of={data} onClose={() => setOpens(undefined)} />}
      {opens === 'second' && <SecondDialog id={id} onClose={() => setOpens(undefined)} />}
    </>
  )
}

/** Movements of before the count that were entered after it. */
function Late({ of }: { of: Count }) {
  const t = useWords()
  const answer = async (moveId: string, wasCounted: boolean) => {
    try {
      await call(calls.answerLate, { id: of.id, moveId, wasCounted })
      await refreshStock()
    } catch (e) {
      banner.error(failureText(t, e))
    }
  }
  return (
    <Card title={t('stock.count.late')} flush>
      <ul className="st-list">
        {of.late.map((one) => (
          <li key={one.moveId}>
            <span className="what">
              <bdi>{one.item}</bdi>
              <span className="hint text-12">
                <Num>{formatDay(one.day)}</Num> · <Num>{manyOf(one.quantity)}</Num> · <bdi>{one.place}</bdi>
              </span>
            </span>
            <span>
              <Button size="s" onPress={() => void answer(one.moveId, true)}>
                {t('stock.count.wasCounted')}
              </Button>{' '}
              <Button size="s" kind="quiet" onPress={() => void answer(one.moveId, false)}>
                {t('stock.count.wasNot')}
              </Button>
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}

function ApproveDialog({ of, onClose }: { of: Count; onClose: () => void }) {
  const t = useWords()
  const [uncounted, setUncounted] = useState<'leave' | 'zero'>('leave')
  const left = of.lines - of.counted
  return (
    <FormDialog
      title={t('stock.count.approve')}
      verb={t('stock.count.approveVerb')}
      names={['uncounted', 'day']}
      onClose={onClose}
      onSubmit={async () => {
        const { moves } = await call(calls.approveCount, { id: of.id, uncounted })
        await refreshStock()
        banner.success(t('stock.count.approved', { count: moves }))
      }}
    >
      {(error) => (
        <div className="st-form">
          <p>{t('stock.count.approveText')}</p>
          {of.gapAgorot !== null && (
            <p>
              {t('stock.count.gapSum')} <MoneyCell value={of.gapAgorot} />
            </p>
          )}
          {left > 0 && (
            <ChoiceField
              label={t('stock.count.left', { count: left })}
              value={uncounted}
              onChange={(next) => next && setUncounted(next)}
              choices={(['leave', 'zero'] as const).map((value) => ({
                value,
                label: t(`stock.count.uncounted.${value}`),
              }))}
              {...error('uncounted', uncounted)}
            />
          )}
        </div>
      )}
    </FormDialog>
  )
}

function SecondDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const t = useWords()
  const [above, setAbove] = useState<number | null>(10_000)
  return (
    <FormDialog
      title={t('stock.count.second')}
      verb={t('stock.count.secondVerb')}
      names={['aboveAgorot']}
      onClose={onClose}
      onSubmit={async () => {
        const { lines } = await call(calls.wantSecond, { id, aboveAgorot: above ?? 0 })
        await refreshStock()
        banner.success(t('stock.count.secondDone', { count: lines }))
      }}
    >
      {(error) => (
        <MoneyField
          label={t('stock.count.above')}
          value={above}
          onChange={setAbove}
          {...error('aboveAgorot', above)}
        />
      )}
    </FormDialog>
  )
}

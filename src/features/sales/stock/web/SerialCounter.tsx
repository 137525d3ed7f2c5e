import { Hash, Printer } from 'lucide-react'
import { useState } from 'react'
import { call, failureText, useCall } from '#kit/web/calls/call.ts'
import { TextCell } from '#kit/web/fields/cells.tsx'
import { FlagField } from '#kit/web/fields/FlagField.tsx'
import { WholeField } from '#kit/web/fields/NumberFields.tsx'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { DataTable } from '#kit/web/parts/DataTable.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { FormDialog } from '#kit/web/parts/FormDialog.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { useCan } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { listCounters, takeNumbers } from '../serials.ts'
import { LabelChoice } from './LabelsDialog.tsx'
import { printLabels, type LabelCode, type LabelSize } from './labels.ts'
import { refreshStock } from './parts.tsx'
import './stock.css'

type Counter = Awaited<ReturnType<typeof rowsOf>>[number]
const rowsOf = async () => (await call(listCounters, { q: '' })).rows

/** The next serial numbers of one's own goods, given out once each, with labels to print. */
export function Screen() {
  const t = useWords()
  const may = useCan()('stock.change')
  const [text, setText] = useState('')
  const { data, isLoading, error } = useCall(listCounters, { q: text })
  const [of, setOf] = useState<Counter>()
  if (error && !data)
    return (
      <>
        <PageHeader title={t('screens.serialsCounter')} />
        <Note tone="late">{failureText(t, error)}</Note>
      </>
    )
  return (
    <>
      <PageHeader title={t('screens.serialsCounter')} sub={t('serials.counter.sub')} />
      <div className="st-stack">
        {(data?.more || text !== '') && (
          <TextField
            label={t('serials.counter.search')}
            hint={data?.more ? t('serials.counter.more') : undefined}
            value={text}
            onChange={setText}
            max={60}
          />
        )}
        <DataTable
          label={t('screens.serialsCounter')}
          main
          rows={data?.rows ?? []}
          rowKey={(row) => row.itemId}
          rowName={(row) => row.item}
          loading={isLoading}
          {...(may ? { onOpen: setOf } : {})}
          empty={
            <EmptyState icon={Hash} title={t('serials.counter.none')}>
              {t('serials.counter.noneText')}
            </EmptyState>
          }
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
              key: 'next',
              title: t('serials.counter.next'),
              width: 'fit',
              phone: 'line',
              cell: (row) => <Num>{row.next}</Num>,
            },
            {
              key: 'take',
              title: t('serials.counter.verb'),
              width: 'fit',
              cell: (row) =>
                may && (
                  <Button size="s" icon={Hash} onPress={() => setOf(row)}>
                    {t('serials.counter.take')}
                  </Button>
                ),
            },
          ]}
        />
      </div>
      {of && <TakeDialog of={of} onClose={() => setOf(undefined)} />}
    </>
  )
}

function TakeDialog({ of, onClose }: { of: Counter; onClose: () => void }) {
  const t = useWords()
  const [prefix, setPrefix] = useState(of.prefix)
  const [digits, setDigits] = useState<number | null>(of.digits)
  const [next, setNext] = useState<number | null>(of.nextNumber)
  const [count, setCount] = useState<number | null>(1)
  const [receive, setReceive] = useState(true)
  const [size, setSize] = useState<LabelSize>('sheet')
  const [as, setAs] = useState<LabelCode>('bars')
  return (
    <FormDialog
      title={of.item}
      verb={t('serials.counter.verb')}
      icon={Printer}
      names={['prefix', 'digits', 'nextNumber', 'count', 'itemId']}
      onClose={onClose}
      onSubmit={async () => {
        const { numbers } = await call(takeNumbers, {
          itemId: of.itemId,
          prefix,
          digits: digits ?? 6,
          ...(next !== of.nextNumber && next !== null ? { nextNumber: next } : {}),
          count: count ?? 0,
          receive,
        })
        await refreshStock()
        if (numbers.length) await printLabels(of.item, numbers, size, as)
        banner.success(t('serials.done', { count: numbers.length }))
      }}
    >
      {(error) => (
        <div className="st-form">
          <div className="st-pair">
            <TextField
              label={t('serials.counter.prefix')}
              optional
              ltr
              value={prefix}
              onChange={setPrefix}
              max={20}
              {...error('prefix', prefix)}
            />
            <WholeField
              label={t('serials.counter.digits')}
              value={digits}
              onChange={setDigits}
              {...error('digits', digits)}
            />
          </div>
          <div className="st-pair">
            <WholeField
              label={t('serials.counter.from')}
              value={next}
              onChange={setNext}
              {...error('nextNumber', next)}
            />
            <WholeField
              label={t('serials.counter.count')}
              value={count}
              onChange={setCount}
              {...error('count', count)}
            />
          </div>
          <FlagField label={t('serials.counter.receive')} value={receive} onChange={setReceive} />
          <LabelChoice size={size} onSize={setSize} as={as} onAs={setAs} />
        </div>
      )}
    </FormDialog>
  )
}

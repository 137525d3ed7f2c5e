import { Camera, CheckCheck, Image as ImageIcon, ImagePlus, ReceiptText } from 'lucide-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useDeferredValue, useRef, useState } from 'react'
import { formatDay, formatMoney } from '#domain/format.ts'
import { call, failureText, useCall } from '#kit/web/calls/call.ts'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { DayField } from '#kit/web/fields/DayField.tsx'
import { MoneyField } from '#kit/web/fields/NumberFields.tsx'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Card, Rows } from '#kit/web/parts/Card.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { Money } from '#kit/web/parts/Figure.tsx'
import { Icon } from '#kit/web/parts/Icon.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { Link } from 'react-aria-components/Link'
import { useSession } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { expenseFacts, myExpenses } from '../../endpoints.ts'
import { paidMeans } from '../../expenses.ts'
import { addsVat, emptyForm, totalOf, withTotal, type Facts } from '../form/model.ts'
import { SupplierPick } from '../form/SupplierPick.tsx'
import { useExpense } from '../form/useExpense.ts'
import { Warnings } from '../form/Warnings.tsx'
import { PaperView } from '../PaperView.tsx'
import { ExpenseState } from '../state.tsx'
import '../expenses.css'

/**
 * The place of those who only enter expenses: a photograph, a sum, a kind; under it what they have entered
 * and what became of it.
 */
export function Screen() {
  const t = useWords()
  const facts = useCall(expenseFacts, {})
  const [round, setRound] = useState(0)
  return (
    <>
      <PageHeader
        title={t('screens.expensesArea')}
        actions={<Button href="/invoiceexp/ReportExpensesOnly">{t('screens.reportExpensesOnly')}</Button>}
      />
      <div className="ex-area">
        {facts.data ? (
          <Quick key={round} facts={facts.data} onSaved={() => setRound(round + 1)} />
        ) : facts.error ? (
          <Note tone="late">{failureText(t, facts.error)}</Note>
        ) : (
          <Skeleton lines={6} />
        )}
        <Mine />
      </div>
    </>
  )
}

function Quick({ facts, onSaved }: { facts: Facts; onSaved: () => void }) {
  const t = useWords()
  const camera = useRef<HTMLInputElement>(null)
  const chooser = useRef<HTMLInputElement>(null)
  const editing = useExpense({ ...emptyForm(facts.today), means: 'owner' }, facts, undefined, (saved) => {
    banner.success(t(`expenses.saved.${saved.state}`))
    onSaved()
  })
  const { form, put, errors } = editing
  const line = form.lines[0]!
  const error = (path: string) => (errors[path] ? { error: errors[path] } : {})
  const adds = (typeId: string | null) =>
    addsVat(
      line,
      facts.types.find((one) => one.id === typeId),
      form,
      facts,
    )
  const take = (event: React.ChangeEvent<HTMLInputElement>) => {
    const files = [...(event.target.files ?? [])]
    event.target.value = ''
    if (files.length > 0) void editing.addFiles(files, 'phone')
  }
  const setLine = (next: typeof line) => put({ lines: [next, ...form.lines.slice(1)] })
  return (
    <Card>
      <form
        className="ex-areaform"
        noValidate
        aria-label={t('expenses.new')}
        onSubmit={(event) => {
          event.preventDefault()
          void editing.save(false)
        }}
      >
        {form.files.length > 0 && (
          <PaperView
            files={form.files}
            onRemove={(id) => put({ files: form.files.filter((file) => file.id !== id) })}
          />
        )}
        <div className="ex-pair">
          <Button
            kind="soft"
            size="l"
            icon={Camera}
            wide
            busy={editing.busy === 'upload'}
            onPress={() => camera.current?.click()}
          >
            {t('expenses.area.photograph')}
          </Button>
          <Button size="l" icon={ImagePlus} wide onPress={() => chooser.current?.click()}>
            {t('expenses.area.choose')}
          </Button>
        </div>
        <input
          ref={camera}
          type="file"
          hidden
          accept="image/*"
          capture="environment"
          onChange={take}
          aria-label={t('expenses.area.photograph')}
        />
        <input
          ref={chooser}
          type="file"
          hidden
          multiple
          accept="image/*,application/pdf"
          onChange={take}
          aria-label={t('expenses.area.choose')}
        />
        {editing.problem && <Note tone="late">{editing.problem}</Note>}
        {editing.warnings.some((one) => one.twinId) && (
          <Warnings warnings={editing.warnings.filter((one) => one.twinId)} />
        )}
        <div className="ex-pair">
          <MoneyField
            label={t('expenses.form.total')}
            name="lines.0.total"
            value={totalOf(line)}
            onChange={(total) => setLine(withTotal(line, total, editing.rateBp, adds(line.typeId)))}
            {...error('lines.0.netAgorot')}
          />
          <DayField
            label={t('expenses.fields.day')}
            name="date"
            value={form.day}
            max={facts.today}
            onChange={(day) => day && put({ day })}
            {...error('date')}
          />
        </div>
        <ChoiceField
          as="list"
          label={t('expenses.fields.typeId')}
          name="lines.0.typeId"
          value={line.typeId}
          onChange={(typeId) =>
            setLine(withTotal({ ...line, typeId }, totalOf(line), editing.rateBp, adds(typeId)))
          }
          choices={facts.types.map((one) => ({ value: one.id, label: one.name }))}
          {...error('lines.0.typeId')}
        />
        <SupplierPick
          brief
          value={form.supplier}
          onChange={(supplier) => put({ supplier })}
          error={errors.supplierId}
        />
        <div className="ex-pair" data-stack="">
          <TextField
            label={t('expenses.form.number')}
            name="supplierNumber"
            ltr
            optional
            max={40}
            value={form.number}
            onChange={(number) => put({ number })}
            {...error('supplierNumber')}
          />
          <ChoiceField
            as="list"
            label={t('expenses.fields.means')}
            name="means"
            value={form.means}
            onChange={(means) => means && put({ means })}
            choices={[...paidMeans.toReversed(), 'onCredit' as const].map((one) => ({
              value: one,
              label: t(`expenses.means.${one}`),
            }))}
            {...error('means')}
          />
        </div>
        <TextField
          label={t('expenses.fields.details')}
          name="details"
          optional
          max={200}
          value={form.details}
          onChange={(details) => put({ details })}
        />
        <Button kind="primary" size="l" type="submit" wide icon={CheckCheck} busy={editing.busy === 'submit'}>
          {t(facts.mayApprove ? 'expenses.actions.book' : 'expenses.actions.submit')}
        </Button>
      </form>
    </Card>
  )
}

function Mine() {
  const t = useWords()
  const hides = useSession()?.HideTotalPrices ?? false
  const [q, setQ] = useState('')
  const asked = useDeferredValue(q.trim())
  const { data, isLoading, error, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    // Under the name of the call, so that what is saved above is shown here at once.
    queryKey: [myExpenses.name, 'pages', asked],
    queryFn: ({ pageParam, signal }) =>
      call(
        myExpenses,
        { from: '2000-01-01', ...(asked ? { q: asked } : {}), ...(pageParam ? { cursor: pageParam } : {}) },
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    placeholderData: (before) => before,
  })
  if (isLoading) return <Skeleton lines={4} />
  if (error) return <Note tone="late">{failureText(t, error)}</Note>
  const rows = data?.pages.flatMap((page) => page.rows) ?? []
  return (
    <Card title={t('expenses.area.mine')}>
      {(rows.length > 0 || q !== '') && (
        <div className="ex-above">
          <TextField type="search" label={t('expenses.area.search')} value={q} onChange={setQ} max={100} />
        </div>
      )}
      {rows.length === 0 ? (
        <EmptyState
          icon={ReceiptText}
          title={t(q === '' ? 'expenses.area.none' : 'expenses.area.notFound')}
        />
      ) : (
        <Rows>
          {rows.map((row) => (
            <Link key={row.id} href={`/invoice/Expenses/all/${row.id}`}>
              <span className="k-tile">
                <Icon of={ReceiptText} />
              </span>
              <span className="grow">
                <span className="t cut" dir="auto" title={row.supplier ?? row.type ?? undefined}>
                  {row.supplier ?? row.type}
                </span>
                <span className="s">
                  <Num>{formatDay(row.day)}</Num> · <bdi>{row.type}</bdi>
                  {row.supplierNumber && (
                    <>
                      {' · '}
                      {t('expenses.area.number')} <Num>{row.supplierNumber}</Num>
                    </>
                  )}
                  {row.state === 'rejected' && row.reason && (
                    <>
                      {' · '}
                      <bdi>{row.reason}</bdi>
                    </>
                  )}
                </span>
                <span className="s">
                  {row.hasPaper && <Icon of={ImageIcon} size="s" label={t('expenses.fields.hasPaper')} />}{' '}
                  {!hides &&
                    t('expenses.area.parts', {
                      net: formatMoney(row.netAgorot),
                      vat: formatMoney(row.vatAgorot),
                    })}
                </span>
              </span>
              <ExpenseState of={{ state: row.state, openAgorot: null, totalAgorot: null, dueDay: null }} />
              {!hides && <Money amount={row.totalAgorot} />}
            </Link>
          ))}
        </Rows>
      )}
      {hasNextPage && (
        <Button wide busy={isFetchingNextPage} onPress={() => void fetchNextPage()}>
          {t('expenses.area.more')}
        </Button>
      )}
    </Card>
  )
}

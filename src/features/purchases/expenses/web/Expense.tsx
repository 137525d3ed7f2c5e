import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { TriangleAlert } from 'lucide-react'
import { call, failureText, useCall } from '#kit/web/calls/call.ts'
import { Button } from '#kit/web/parts/Button.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { usePlace } from '#kit/web/routes/place.ts'
import { useTitle } from '#kit/web/routes/router.tsx'
import { callsOf } from '#kit/web/screens/resources.ts'
import { useCan } from '#kit/web/session/session.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { expenseFacts, getExpense, type ExpenseAnswer } from '../endpoints.ts'
import { recurringExpenses, type RecurringRow } from '../expenses.ts'
import { ExpenseForm } from './form/ExpenseForm.tsx'
import { addsVat, emptyForm, formOf, withTotal, type Facts, type Form } from './form/model.ts'
import { vatRateOn } from '#domain/vat/rates.ts'
import { fetchPart } from '#kit/web/calls/fetchPart.ts'

const ExpensePage = lazy(() =>
  fetchPart(() => import('./page/ExpensePage.tsx')).then(({ ExpensePage }) => ({ default: ExpensePage })),
)

/**
 * One expense: the form until it is posted, then its page. `new` begins one: empty, after another one, or for a bill
 * of a series.
 */
export function Screen() {
  const { params, query } = usePlace()
  const id = params.docid ?? ''
  return id === 'new' ? (
    <NewExpense
      key={JSON.stringify(query)}
      typeId={query.type}
      copy={query.copy}
      recurring={query.recurring}
      supplier={query.supplier}
      bill={{ total: query.total, details: query.details }}
    />
  ) : (
    <KeptExpense key={id} id={id} />
  )
}

function KeptExpense({ id }: { id: string }) {
  const t = useWords()
  const may = useCan()
  const mayEnter = may('expenses.enter')
  const { data, error, refetch } = useCall(getExpense, { id })
  const facts = useCall(expenseFacts, {}, { enabled: mayEnter })
  useTitle(data && [data.supplierName, data.supplierNumber].filter(Boolean).join(' '))
  if (error && !data) return <Away error={error} retry={() => void refetch()} />
  if (!data || (mayEnter && !facts.data)) return <Skeleton lines={8} />
  const isOpen = data.state === 'draft' || data.state === 'waiting' || data.state === 'rejected'
  if (isOpen && facts.data && (facts.data.mayApprove || data.enteredByMe))
    return (
      <ExpenseForm
        key={`${data.id} ${data.updatedAt}`}
        start={formOf(data)}
        facts={facts.data}
        expense={data}
      />
    )
  return (
    <Suspense fallback={<Skeleton lines={8} />}>
      <ExpensePage expense={data} />
    </Suspense>
  )
  function Away({ error: failure, retry }: { error: unknown; retry: () => void }) {
    return (
      <EmptyState
        icon={TriangleAlert}
        title={t('expenses.page.notFound')}
        actions={
          <Button kind="soft" onPress={retry}>
            {t('kit.actions.retry')}
          </Button>
        }
      >
        {failureText(t, failure)}
      </EmptyState>
    )
  }
}

interface Beginning {
  typeId: string | undefined
  copy: string | undefined
  recurring: string | undefined
  supplier: string | undefined
  /** Of a paper that announced the bill: its sum with VAT in agorot, and what it was. */
  bill: { total: string | undefined; details: string | undefined }
}

function NewExpense({ typeId, copy, recurring, supplier, bill }: Beginning) {
  const facts = useCall(expenseFacts, {})
  const other = useCall(getExpense, { id: copy ?? '' }, { enabled: copy !== undefined })
  const { get } = callsOf(recurringExpenses)
  const due = useQuery({
    queryKey: [get.name, { id: recurring ?? '' }],
    queryFn: async ({ signal }) =>
      (await call(get, { id: recurring! }, { signal })) as unknown as RecurringRow,
    enabled: recurring !== undefined,
  })
  const named = useSupplier(supplier)
  // What was asked for in the address and cannot be had is begun empty.
  const waits =
    (copy && !other.data && !other.error) ||
    (recurring && !due.data && !due.error) ||
    (supplier && !named.isDone)
  if (!facts.data || waits) return <Skeleton lines={8} />
  return (
    <ExpenseForm
      start={startOf(facts.data, typeId, other.data, due.data, named.value, bill)}
      facts={facts.data}
    />
  )
}

function useSupplier(id: string | undefined): { isDone: boolean; value: Form['supplier'] } {
  const found = useQuery({
    queryKey: ['suppliers.get', { id: id ?? '' }],
    queryFn: ({ signal }) =>
      call(
        {
          name: 'suppliers.get',
          method: 'GET',
          path: '/api4/invoice/suppliers/{id}',
          access: 'member',
          summary: '',
        } as never,
        { id: id! } as never,
        { signal },
      ) as Promise<{ id: string; name: string; taxId: string | null }>,
    enabled: id !== undefined,
  })
  const row = found.data
  return {
    isDone: !found.isPending || id === undefined,
    value: row ? { id: row.id, name: row.name, taxId: row.taxId ?? '' } : null,
  }
}

function startOf(
  facts: Facts,
  typeId: string | undefined,
  copy: ExpenseAnswer | undefined,
  due: RecurringRow | undefined,
  supplier: Form['supplier'],
  bill: Beginning['bill'],
): Form {
  if (copy) return formOf(copy, facts.today)
  if (due) {
    const form = emptyForm(facts.today, due.typeId)
    const type = facts.types.find((one) => one.id === due.typeId)
    const line = form.lines[0]!
    return {
      ...form,
      supplier: due.supplierId ? { id: due.supplierId, name: due.supplierIdName ?? '', taxId: '' } : null,
      day: due.nextDay && due.nextDay <= facts.today ? due.nextDay : facts.today,
      means: due.means ?? 'bank',
      recurringId: due.id,
      lines: [withTotal(line, due.totalAgorot, vatRateOn(facts.today), addsVat(line, type, form, facts))],
    }
  }
  const empty = {
    ...emptyForm(facts.today, facts.types.some((one) => one.id === typeId) ? typeId! : null),
    supplier,
  }
  const total = Number(bill.total)
  if (!Number.isSafeInteger(total) || total <= 0) return { ...empty, details: bill.details ?? empty.details }
  const line = empty.lines[0]!
  const type = facts.types.find((one) => one.id === typeId)
  return {
    ...empty,
    details: bill.details ?? empty.details,
    lines: [withTotal(line, total, vatRateOn(facts.today), addsVat(line, type, empty, facts))],
  }
}

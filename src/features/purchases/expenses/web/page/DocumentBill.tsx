import { ReceiptText } from 'lucide-react'
import { Link } from 'react-aria-components/Link'
import { formatDay } from '#domain/format.ts'
import { askAhead, useCall } from '#kit/web/calls/call.ts'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Money } from '#kit/web/parts/Figure.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import type { PlacedProps } from '#kit/web/screens/places.ts'
import { mayDo, session, useCan, useSession } from '#kit/web/session/session.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { billOfDocument } from '../../endpoints.ts'

export async function ahead(id: string): Promise<void> {
  if (mayDo(session(), 'expenses.see')) await askAhead(billOfDocument, { id })
}

/** On the page of a self-billed invoice: its bill in the books, what is still owed, and the way to pay it. */
export function Part({ of: id }: PlacedProps) {
  const may = useCan()
  return may('expenses.see') ? <Bill id={id} /> : null
}

function Bill({ id }: { id: string }) {
  const t = useWords()
  const may = useCan()
  const hides = useSession()?.HideTotalPrices ?? false
  // It is paid elsewhere, so it is asked for whenever the page is.
  const { data } = useCall(billOfDocument, { id }, { staleTime: 0 })
  const bill = data?.bill
  if (!bill) return null
  const stands = bill.state === 'approved'
  const isOpen = stands && !hides && bill.openAgorot !== 0
  return (
    <Note
      icon={ReceiptText}
      tone={stands && !hides && bill.openAgorot === 0 ? 'done' : 'info'}
      action={
        isOpen && may('expenses.approve') ? (
          <Button size="s" kind="quiet" href={`/invoice/Expenses/all/${bill.id}`}>
            {t('expenses.ofDocument.pay')}
          </Button>
        ) : undefined
      }
    >
      {t('expenses.ofDocument.bill')}
      {!stands && ` · ${t(`expenses.state.${bill.state}`)}`}
      {stands && !hides && bill.openAgorot === 0 && ` · ${t('expenses.ofDocument.paid')}`}
      {isOpen && (
        <>
          {' · '}
          {t('expenses.ofDocument.open')} <Money amount={bill.openAgorot} />
          {bill.dueDate && (
            <>
              {' · '}
              {t('expenses.page.until')} <Num>{formatDay(bill.dueDate)}</Num>
            </>
          )}
        </>
      )}
      {' · '}
      <Link className="link" href={`/invoice/Expenses/all/${bill.id}`}>
        {t('expenses.ofDocument.see')}
      </Link>
    </Note>
  )
}

import { Ban, ReceiptText, Undo2 } from 'lucide-react'
import { Link } from 'react-aria-components/Link'
import { formatDay } from '#domain/format.ts'
import { call, failureText, queryClient, useCall } from '#kit/web/calls/call.ts'
import { Button } from '#kit/web/parts/Button.tsx'
import { Rows } from '#kit/web/parts/Card.tsx'
import { SideSheet } from '#kit/web/parts/Dialog.tsx'
import { Money } from '#kit/web/parts/Figure.tsx'
import { ReasonDialog } from '#kit/web/parts/ReasonDialog.tsx'
import { Icon } from '#kit/web/parts/Icon.tsx'

import { Num } from '#kit/web/parts/Num.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { toast } from '#kit/web/parts/notices.ts'
import { refreshResource } from '#kit/web/screens/resources.ts'
import { useCan } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { pastOfRecurring, skipRecurring, unskipRecurring } from '../endpoints.ts'
import { recurringExpenses } from '../expenses.ts'
import { refreshExpenses } from './actions.ts'

const refresh = () =>
  Promise.all([
    refreshResource(recurringExpenses),
    refreshExpenses(),
    queryClient.invalidateQueries({ queryKey: ['recurringexpenses.past'] }),
  ])

export interface RecurringDialogProps {
  id: string
  name: string
  onClose: () => void
}

/** No bill this time: why, so that the person who looks later knows. */
export function SkipDialog({ id, name, day, onClose }: RecurringDialogProps & { day: string }) {
  const t = useWords()
  return (
    <ReasonDialog
      title={t('recurringexpenses.skip.title', { name, day: formatDay(day) })}
      verb={t('recurringexpenses.skip.verb')}
      label={t('recurringexpenses.skip.reason')}
      max={200}
      oneLine
      onClose={onClose}
      onReason={async (reason) => {
        const { nextDay } = await call(skipRecurring, { id, day, reason })
        await refresh()
        onClose()
        toast(
          nextDay
            ? t('recurringexpenses.skip.done', { day: formatDay(nextDay) })
            : t('recurringexpenses.skip.doneLast'),
          () =>
            void call(unskipRecurring, { id, day })
              .then(refresh)
              .catch((e: unknown) => banner.error(failureText(t, e))),
        )
      }}
    >
      <p className="sub">{t('recurringexpenses.skip.text')}</p>
    </ReasonDialog>
  )
}

/** Each time the bill was expected: what came, and why nothing did. */
export function PastSheet({ id, name, onClose }: RecurringDialogProps) {
  const t = useWords()
  const may = useCan()
  const { data, error } = useCall(pastOfRecurring, { id })
  const takeBack = async (day: string) => {
    try {
      await call(unskipRecurring, { id, day })
      await refresh()
    } catch (e) {
      banner.error(failureText(t, e))
    }
  }
  return (
    <SideSheet isOpen onClose={onClose} title={t('recurringexpenses.past.title', { name })}>
      {error ? (
        <p className="hint">{failureText(t, error)}</p>
      ) : !data ? (
        <Skeleton />
      ) : data.rows.length === 0 ? (
        <p className="hint">{t('recurringexpenses.past.none')}</p>
      ) : (
        <Rows>
          {data.rows.map((row, i) => (
            <div key={i}>
              <span className="k-tile">
                <Icon of={row.expenseId ? ReceiptText : row.takenBack ? Undo2 : Ban} />
              </span>
              <span className="grow">
                <span className="t">
                  <Num>{formatDay(row.day)}</Num>{' '}
                  {row.expenseId ? (
                    <Link className="link" href={`/invoice/Expenses/all/${row.expenseId}`}>
                      {t('recurringexpenses.past.came', { number: row.supplierNumber ?? '' })}
                    </Link>
                  ) : (
                    t(row.takenBack ? 'recurringexpenses.past.takenBack' : 'recurringexpenses.past.skipped')
                  )}
                </span>
                <span className="sub" dir="auto">
                  {[row.reason, row.who].filter(Boolean).join(' · ')}
                </span>
              </span>
              {row.totalAgorot !== null && row.totalAgorot !== undefined && (
                <Money amount={row.totalAgorot} />
              )}
              {!row.expenseId && !row.takenBack && may('expenses.enter') && (
                <Button kind="quiet" size="s" onPress={() => void takeBack(row.day)}>
                  {t('recurringexpenses.past.takeBack')}
                </Button>
              )}
            </div>
          ))}
        </Rows>
      )}
    </SideSheet>
  )
}

import { CreditCard } from 'lucide-react'
import { askAhead, call, failureText, keyOf, queryClient, useCall, useSend } from '#kit/web/calls/call.ts'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Money } from '#kit/web/parts/Figure.tsx'
import { Lead } from '#kit/web/public/Lead.tsx'
import { Unanswered } from '#kit/web/public/Unanswered.tsx'
import { useReturn } from '#kit/web/public/useReturn.ts'
import type { PlacedProps } from '#kit/web/screens/places.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { beginDocument, checkDocument, documentPay } from '../endpoints.ts'
import { isInDoubt, Paid, Trouble } from './Outcome.tsx'
import { PhonePayment } from './PayLink.tsx'
import './paymentLinks.css'
import { Wallets } from './Wallets.tsx'

export const ahead = (key: string) => askAhead(documentPay, { key })

/** On a document's page: what is open of it, paid by card or by a payment app. */
export function Part({ of: key, refresh }: PlacedProps) {
  const t = useWords()
  const { data } = useCall(documentPay, { key }, { refetchOnWindowFocus: false })
  const { outcome, failure, isChecking, again } = useReturn((input) => call(checkDocument, input), key, {
    isInDoubt,
    onKnown: () => {
      void queryClient.invalidateQueries({ queryKey: keyOf(documentPay) })
      refresh()
    },
  })
  const begin = useSend(beginDocument, {
    onSuccess: ({ url }) => void (location.href = url),
    onError: (e) => void banner.error(failureText(t, e)),
  })
  const opening = begin.isPending ? begin.variables?.wallet : undefined
  if (!data) return null
  const isOver = outcome?.state === 'paid' || outcome?.state === 'surplus'
  if (!isOver && !data.online) return data.openAgorot > 0 ? <PhonePayment to={data.phonePayment} /> : null
  return (
    <>
      <Lead label={t('paymentLinks.pay.title')}>
        {isOver ? (
          <Paid paper={outcome.paper} thanks={data.thanks} surplus={outcome.state === 'surplus'} />
        ) : isChecking ? (
          <p role="status">{t('paymentLinks.pay.checking')}</p>
        ) : failure ? (
          <Unanswered failure={failure} again={again} />
        ) : outcome && isInDoubt(outcome) ? (
          <Unanswered again={again}>{t('paymentLinks.pay.inDoubt')}</Unanswered>
        ) : (
          <>
            <p>
              {t('paymentLinks.pay.toPay')} <Money amount={data.openAgorot} />
            </p>
            {data.test && <Note tone="wait">{t('paymentLinks.pay.test')}</Note>}
            <Trouble outcome={outcome} />
            <Button
              kind="primary"
              size="l"
              icon={CreditCard}
              busy={begin.isPending && !opening}
              onPress={() => begin.mutate({ key })}
            >
              {t('paymentLinks.pay.card')}
            </Button>
            {data.mostInstalments > 1 && (
              <p className="sub">{t('paymentLinks.pay.instalments', { count: data.mostInstalments })}</p>
            )}
            <Wallets of={data.wallets} opening={opening} onPay={(wallet) => begin.mutate({ key, wallet })} />
          </>
        )}
      </Lead>
      {!isOver && <PhonePayment to={data.phonePayment} />}
    </>
  )
}

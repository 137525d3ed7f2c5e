import { Copy, CreditCard, Landmark, Smartphone } from 'lucide-react'
import { useEffect, useRef, useState, type FormEvent, type ReactNode } from 'react'
import { formatDay } from '../../../domain/format.ts'
import { failureText, fieldErrors, useCall, useSend } from '../../../kit/web/call.ts'
import { EmailField, PhoneField, TaxIdField } from '../../../kit/web/fields/ContactFields.tsx'
import { TextField } from '../../../kit/web/fields/TextField.tsx'
import { Note } from '../../../kit/web/parts/Banner.tsx'
import { Button } from '../../../kit/web/parts/Button.tsx'
import { Card } from '../../../kit/web/parts/Card.tsx'
import { Money } from '../../../kit/web/parts/Figure.tsx'
import { Icon } from '../../../kit/web/parts/Icon.tsx'
import { Num } from '../../../kit/web/parts/Num.tsx'
import { usePlace } from '../../../kit/web/place.ts'
import { useTitle } from '../../../kit/web/router.tsx'
import { banner } from '../../../kit/web/shell/banner.ts'
import { useWords } from '../../../kit/web/words.tsx'
import { beginLink, checkLink, linkLogo, linkPage, type Outcome } from '../endpoints.ts'
import { Frame, Nothing } from './Frame.tsx'
import { Paid, Trouble } from './Outcome.tsx'

/** Whoever was sent a payment link sees who asks for how much and pays; the key in the address is the right. */
export function Screen() {
  const t = useWords()
  const { params, query } = usePlace()
  const key = params.key ?? ''
  const { data, error, refetch } = useCall(linkPage, { key }, { refetchOnWindowFocus: false })
  const [outcome, setOutcome] = useState<Outcome>()
  const check = useSend(checkLink, {
    onSuccess: (said) => {
      setOutcome(said)
      void refetch()
    },
    onError: (e) => void banner.error(failureText(t, e)),
  })
  const { charge } = query
  const asked = useRef('')
  useEffect(() => {
    // Asked once for each return, even where effects run twice.
    if (!charge || asked.current === charge) return
    asked.current = charge
    check.mutate({ key, charge })
  }, [charge, key, check])
  useTitle(data && `${data.description}, ${data.business.name}`)
  if (!data) return <Nothing waits={!error} title={t('paymentLinks.pay.notFound')} text={t('paymentLinks.pay.notFoundText')} />
  const isPaid = data.state === 'paid' || outcome?.state === 'paid'
  return (
    <Frame of={data} logo={linkLogo} keyPart={key}>
      {data.test && !isPaid && <Note tone="wait">{t('paymentLinks.pay.test')}</Note>}
      <section className="pl-sum" aria-label={data.description}>
        <h1>
          <bdi>{data.description}</bdi>
        </h1>
        <p className="sum">
          <Money amount={data.amountAgorot} />
        </p>
        {data.customer && (
          <p className="sub">
            {t('documents.pay.for')} <bdi>{data.customer}</bdi>
          </p>
        )}
        {check.isPending ? (
          <p role="status">{t('paymentLinks.pay.checking')}</p>
        ) : outcome?.state === 'surplus' ? (
          <Paid paper={null} thanks="" surplus />
        ) : isPaid ? (
          <Paid paper={outcome?.paper ?? data.paper} thanks={data.thanks} />
        ) : data.state !== 'open' ? (
          <Note tone="wait">{t(`paymentLinks.pay.${data.state}`)}</Note>
        ) : (
          <>
            <Trouble outcome={outcome} />
            {data.expiresOn && (
              <p className="sub">
                {t('paymentLinks.share.until')} <Num>{formatDay(data.expiresOn)}</Num>
              </p>
            )}
            {data.online ? (
              <PayForm pageKey={key} asksPayer={data.asksPayer} donation={data.donation} most={data.mostInstalments} />
            ) : (
              !data.bankDetails && !data.phonePayment && <p className="sub">{t('paymentLinks.pay.noCards')}</p>
            )}
          </>
        )}
      </section>
      {!isPaid && data.state === 'open' && <OtherWays bankDetails={data.bankDetails} phonePayment={data.phonePayment} />}
    </Frame>
  )
}

function PayForm({ pageKey, asksPayer, donation, most }: { pageKey: string; asksPayer: boolean; donation: boolean; most: number }) {
  const t = useWords()
  const [payer, setPayer] = useState({ name: '', email: '', phone: '', taxId: '' })
  const put = (change: Partial<typeof payer>) => setPayer((before) => ({ ...before, ...change }))
  const begin = useSend(beginLink, { onSuccess: ({ url }) => void (location.href = url) })
  const refused = begin.error ? fieldErrors(t, begin.error, ['payer.name', 'payer.email', 'payer.phone', 'payer.taxId']) : undefined
  const errorOf = (name: keyof typeof payer) => {
    const said = refused?.fields[`payer.${name}`]
    return said ? { error: said } : {}
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    begin.mutate({ key: pageKey, ...(asksPayer ? { payer } : {}) })
  }
  return (
    <form className="pl-stack" onSubmit={submit} noValidate>
      {refused?.rest && <Note tone="late">{refused.rest}</Note>}
      {asksPayer && (
        <>
          <TextField
            label={t('paymentLinks.pay.name')}
            name="name"
            autoComplete="name"
            max={200}
            value={payer.name}
            onChange={(name) => put({ name })}
            {...errorOf('name')}
          />
          <EmailField
            label={t('paymentLinks.pay.email')}
            name="email"
            optional
            hint={t('paymentLinks.pay.emailHint')}
            value={payer.email}
            onChange={(email) => put({ email })}
            {...errorOf('email')}
          />
          <PhoneField
            label={t('paymentLinks.pay.phone')}
            name="phone"
            optional
            value={payer.phone}
            onChange={(phone) => put({ phone })}
            {...errorOf('phone')}
          />
          {donation && (
            <TaxIdField
              label={t('paymentLinks.pay.taxId')}
              name="taxId"
              optional
              hint={t('paymentLinks.pay.taxIdHint')}
              value={payer.taxId}
              onChange={(taxId) => put({ taxId })}
              {...errorOf('taxId')}
            />
          )}
        </>
      )}
      <Button type="submit" kind="primary" size="l" icon={CreditCard} busy={begin.isPending}>
        {t('paymentLinks.pay.card')}
      </Button>
      {most > 1 && <p className="sub">{t('paymentLinks.pay.instalments', { count: most })}</p>}
    </form>
  )
}

/** A transfer, or a payment app, in the business's own words. */
export function OtherWays({ bankDetails, phonePayment }: { bankDetails: string; phonePayment: string }) {
  const t = useWords()
  const own = (title: string, icon: typeof Landmark, text: string): ReactNode =>
    text && (
      <Card title={title}>
        <div className="pl-own">
          <span className="k-tile">
            <Icon of={icon} />
          </span>
          <p dir="auto">{text}</p>
          <Button
            kind="quiet"
            size="s"
            icon={Copy}
            label={t('paymentLinks.pay.copy')}
            onPress={() => void navigator.clipboard.writeText(text).then(() => banner.success(t('paymentLinks.pay.copied')))}
          />
        </div>
      </Card>
    )
  return (
    <>
      {own(t('documents.pay.transfer'), Landmark, bankDetails)}
      {own(t('paymentLinks.pay.phonePayment'), Smartphone, phonePayment)}
    </>
  )
}

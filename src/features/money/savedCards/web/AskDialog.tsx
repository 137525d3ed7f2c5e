import { Copy, ExternalLink, MessageCircle } from 'lucide-react'
import { useEffect, useState } from 'react'
import { formatDay } from '#domain/format.ts'
import { call, failureText, fieldErrors, useSend } from '#kit/web/calls/call.ts'
import { EmailField } from '#kit/web/fields/ContactFields.tsx'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Dialog } from '#kit/web/parts/Dialog.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { banner } from '#kit/web/shell/banner.ts'
import { useCopy } from '#kit/web/hooks/useCopy.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { askCard, sendRequest, type CardRequest } from '../endpoints.ts'
import './savedCards.css'

/** WhatsApp with the words ready: to the customer's phone, or to whom the sender chooses. */
function whatsApp(phone: string | null, text: string): string {
  const digits = (phone ?? '').replace(/\D/g, '')
  const number = digits.startsWith('972') ? digits : digits.startsWith('0') ? `972${digits.slice(1)}` : ''
  return `https://wa.me/${number}?${new URLSearchParams({ text })}`
}

/** The link by which a customer saves a card: the customer enters it at the acquirer. */
export function AskDialog({
  customerId,
  renewsCardId,
  onClose,
}: {
  customerId: string
  renewsCardId?: string | undefined
  onClose: () => void
}) {
  const t = useWords()
  const copy = useCopy()
  const [request, setRequest] = useState<CardRequest>()
  const [failure, setFailure] = useState<unknown>()
  const [to, setTo] = useState<string>()
  useEffect(() => {
    let isGone = false
    call(askCard, { customerId, ...(renewsCardId ? { renewsCardId } : {}) })
      .then((made) => !isGone && setRequest(made))
      .catch((e: unknown) => !isGone && setFailure(e))
    return () => {
      isGone = true
    }
  }, [customerId, renewsCardId])
  const send = useSend(sendRequest, {
    onSuccess: () => {
      banner.success(t('savedCards.sent'))
      onClose()
    },
  })
  const refused = send.error ? fieldErrors(t, send.error, ['to']) : undefined
  const address = to ?? request?.email ?? ''
  const words = request ? t('savedCards.words', { link: request.url }) : ''
  return (
    <Dialog isOpen form onClose={onClose} title={t(renewsCardId ? 'savedCards.renew' : 'savedCards.ask')}>
      <div className="sc-stack">
        {failure !== undefined && (
          <Note
            tone="late"
            action={
              ['savedCards.noTerminal', 'acquirers.byPaymentOnly'].includes(
                (failure as { code?: string }).code ?? '',
              ) && (
                <Button size="s" href="/invoice/onlinemarket">
                  {t('acquirers.connect')}
                </Button>
              )
            }
          >
            {failureText(t, failure)}
          </Note>
        )}
        {refused?.rest && <Note tone="late">{refused.rest}</Note>}
        {!request && failure === undefined && <Skeleton lines={3} />}
        {request && (
          <>
            <p className="sub">
              <bdi>{request.customerName}</bdi>: {t('savedCards.askText')}
            </p>
            <p className="sub">
              {t('savedCards.until')} <Num>{formatDay(request.expiresOn)}</Num>
            </p>
            <TextField
              label={t('savedCards.address')}
              value={request.url}
              onChange={() => undefined}
              readOnly
              ltr
            />
            <div className="sc-acts">
              <Button kind="primary" icon={Copy} onPress={() => copy(request.url)}>
                {t('kit.copy.copy')}
              </Button>
              <Button
                icon={MessageCircle}
                onPress={() => void window.open(whatsApp(request.phone, words), '_blank', 'noreferrer')}
              >
                WhatsApp
              </Button>
              <Button
                kind="quiet"
                icon={ExternalLink}
                onPress={() => void window.open(request.url, '_blank', 'noreferrer')}
              >
                {t('savedCards.look')}
              </Button>
            </div>
            <div className="sc-send">
              <EmailField
                label={t('savedCards.sendTo')}
                name="to"
                value={address}
                onChange={setTo}
                {...(refused?.fields.to ? { error: refused.fields.to } : {})}
              />
              <Button
                busy={send.isPending}
                isDisabled={!address}
                onPress={() => send.mutate({ id: request.id, to: address })}
              >
                {t('savedCards.send')}
              </Button>
            </div>
          </>
        )}
      </div>
    </Dialog>
  )
}

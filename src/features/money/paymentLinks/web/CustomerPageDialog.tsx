import { Copy, ExternalLink, MessageCircle, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { formatMoment } from '#domain/format.ts'
import { failureText, fieldErrors, useCall, useSend } from '#kit/web/calls/call.ts'
import { EmailField } from '#kit/web/fields/ContactFields.tsx'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Dialog, Question } from '#kit/web/parts/Dialog.tsx'
import { toast } from '#kit/web/parts/notices.ts'
import { Num } from '#kit/web/parts/Num.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { useCopy } from '#kit/web/hooks/useCopy.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { dropCustomerPage, getCustomerPage, makeCustomerPage, sendCustomerPage } from '../endpoints.ts'
import { whatsApp } from './actions.ts'
import './paymentLinks.css'

/** A customer's page: created, copied, sent, and closed. */
export function CustomerPageDialog({ id, name, onClose }: { id: string; name: string; onClose: () => void }) {
  const t = useWords()
  const { data, error } = useCall(getCustomerPage, { id })
  const [to, setTo] = useState<string>()
  const [asks, setAsks] = useState<'again' | 'drop'>()
  const refresh = [getCustomerPage]
  const make = useSend(makeCustomerPage, { refresh })
  const drop = useSend(dropCustomerPage, { refresh })
  const send = useSend(sendCustomerPage, {
    refresh,
    onSuccess: () => void toast(t('paymentLinks.share.sent')),
  })
  const refused = send.error ? fieldErrors(t, send.error, ['to']) : undefined
  const problem = error ?? make.error ?? drop.error
  const address = to ?? data?.email ?? ''
  const copy = useCopy()
  return (
    <Dialog isOpen form onClose={onClose} title={t('customerPages.dialog', { name })}>
      <div className="pl-stack">
        <p className="sub">{t('customerPages.text')}</p>
        {problem && <Note tone="late">{failureText(t, problem)}</Note>}
        {refused?.rest && <Note tone="late">{refused.rest}</Note>}
        {!data ? (
          <Skeleton lines={2} />
        ) : data.url === null ? (
          <div>
            <Button kind="primary" busy={make.isPending} onPress={() => make.mutate({ id })}>
              {t('customerPages.make')}
            </Button>
          </div>
        ) : (
          <>
            <TextField
              label={t('paymentLinks.share.address')}
              value={data.url}
              onChange={() => undefined}
              readOnly
              ltr
            />
            {data.viewedAt && (
              <p className="sub">
                {t('customerPages.viewed')} <Num>{formatMoment(new Date(data.viewedAt))}</Num>
              </p>
            )}
            <div className="pl-acts">
              <Button kind="primary" icon={Copy} onPress={() => copy(data.url!)}>
                {t('kit.copy.copy')}
              </Button>
              <Button
                icon={MessageCircle}
                onPress={() =>
                  void window.open(
                    whatsApp(data.phone, t('customerPages.words', { link: data.url! })),
                    '_blank',
                    'noreferrer',
                  )
                }
              >
                {t('paymentLinks.share.whatsApp')}
              </Button>
              <Button
                kind="quiet"
                icon={ExternalLink}
                onPress={() => void window.open(data.url!, '_blank', 'noreferrer')}
              >
                {t('paymentLinks.share.look')}
              </Button>
            </div>
            <div className="pl-send">
              <EmailField
                label={t('paymentLinks.share.to')}
                name="to"
                value={address}
                onChange={setTo}
                {...(refused?.fields.to ? { error: refused.fields.to } : {})}
              />
              <Button
                busy={send.isPending}
                isDisabled={!address}
                onPress={() => send.mutate({ id, to: address })}
              >
                {t('paymentLinks.share.send')}
              </Button>
            </div>
            <div className="pl-acts">
              <Button kind="quiet" size="s" onPress={() => setAsks('again')}>
                {t('customerPages.again')}
              </Button>
              <Button kind="quiet" size="s" icon={Trash2} onPress={() => setAsks('drop')}>
                {t('customerPages.drop')}
              </Button>
            </div>
          </>
        )}
      </div>
      <Question
        isOpen={!!asks}
        onClose={() => setAsks(undefined)}
        danger
        title={t(`customerPages.ask.${asks ?? 'drop'}`)}
        verb={t(`customerPages.${asks ?? 'drop'}`)}
        onConfirm={() => (asks === 'again' ? make.mutateAsync({ id }) : drop.mutateAsync({ id }))}
      >
        {t('customerPages.askText')}
      </Question>
    </Dialog>
  )
}

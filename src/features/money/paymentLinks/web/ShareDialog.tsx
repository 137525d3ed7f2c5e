import { Copy, ExternalLink, MessageCircle, Share2 } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-aria-components/Link'
import { formatDay } from '#domain/format.ts'
import { failureText, fieldErrors, useCall, useSend } from '#kit/web/calls/call.ts'
import { EmailField } from '#kit/web/fields/ContactFields.tsx'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Dialog } from '#kit/web/parts/Dialog.tsx'
import { Money } from '#kit/web/parts/Figure.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { hasShareSheet, openShareSheet } from '#kit/web/hooks/shareSheet.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useCopy } from '#kit/web/hooks/useCopy.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { getLink, sendLink, type ChargeAnswer } from '../endpoints.ts'
import { cardCharges, type PaymentLink } from '../paymentLinks.ts'
import { refreshLinks, whatsApp } from './actions.ts'
import { ChargeState, LinkState } from './state.tsx'
import './paymentLinks.css'

/** A payment link on its way to the payer: copied, sent by mail, or by WhatsApp. */
export function ShareDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const t = useWords()
  const copy = useCopy()
  const { data, error } = useCall(getLink, { id })
  const link = data as unknown as (PaymentLink & { charge: ChargeAnswer | null }) | undefined
  const [to, setTo] = useState<string>()
  const send = useSend(sendLink, {
    onSuccess: () => {
      void refreshLinks()
      banner.success(t('paymentLinks.share.sent'))
      onClose()
    },
  })
  const refused = send.error ? fieldErrors(t, send.error, ['to']) : undefined
  const address = to ?? link?.email ?? ''
  return (
    <Dialog isOpen form onClose={onClose} title={t('paymentLinks.share.title')}>
      <div className="pl-stack">
        {error && <Note tone="late">{failureText(t, error)}</Note>}
        {refused?.rest && <Note tone="late">{refused.rest}</Note>}
        {!link ? (
          <Skeleton lines={3} />
        ) : (
          <>
            <p className="pl-line">
              <bdi>{link.description}</bdi> · <Money amount={link.sumAgorot ?? 0} />{' '}
              <LinkState state={link.state ?? 'open'} />
            </p>
            {link.expiresOn && (
              <p className="sub">
                {t('paymentLinks.share.until')} <Num>{formatDay(link.expiresOn)}</Num>
              </p>
            )}
            {link.reference && (
              <p className="sub">
                {t('paymentLinks.fields.reference')}: <bdi>{link.reference}</bdi>
              </p>
            )}
            {link.charge && (
              <p>
                <Link
                  className="aim"
                  href={cardCharges.screens.card!.replace('$id', link.charge.id)}
                  onPress={onClose}
                >
                  {t('cardCharges.one')}
                </Link>{' '}
                <ChargeState state={link.charge.state} />
              </p>
            )}
            <TextField
              label={t('paymentLinks.share.address')}
              value={link.url}
              onChange={() => undefined}
              readOnly
              ltr
            />
            <div className="pl-acts">
              <Button kind="primary" icon={Copy} onPress={() => copy(link.url)}>
                {t('kit.copy.copy')}
              </Button>
              <Button
                icon={MessageCircle}
                onPress={() =>
                  void window.open(
                    whatsApp(
                      link.phone,
                      t('paymentLinks.share.words', { what: link.description, link: link.url }),
                    ),
                    '_blank',
                    'noreferrer',
                  )
                }
              >
                {t('paymentLinks.share.whatsApp')}
              </Button>
              {hasShareSheet() && (
                <Button
                  icon={Share2}
                  onPress={() =>
                    void openShareSheet({ title: link.description, url: link.url }).catch(() =>
                      copy(link.url),
                    )
                  }
                >
                  {t('paymentLinks.share.sheet')}
                </Button>
              )}
              <Button
                kind="quiet"
                icon={ExternalLink}
                onPress={() => void window.open(link.url, '_blank', 'noreferrer')}
              >
                {t('paymentLinks.share.look')}
              </Button>
            </div>
            {link.state === 'open' && (
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
            )}
          </>
        )}
      </div>
    </Dialog>
  )
}

import { Check, Copy, Download, FlaskConical, KeyRound } from 'lucide-react'
import { useState } from 'react'
import { documentTypeById } from '#domain/documents/kinds.ts'
import { mappable, needed, type FieldMapping } from '#domain/shops/fields.ts'
import { withCurrency } from '#domain/format.ts'
import { call, callFile, failureText } from '#kit/web/calls/call.ts'
import { LongText, TextField } from '#kit/web/fields/TextField.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Card } from '#kit/web/parts/Card.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { useAction } from '#kit/web/parts/useAction.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useLanguage, useWords } from '#kit/web/words/words.tsx'
import type { OutputOf } from '#kit/describe/endpoint.ts'
import { changeShop, makeShopKey, pluginFile, signShop, trySample, tryShop, type Shop } from '../endpoints.ts'
import { refresh, useTroubleText } from './says.tsx'

/** What has to be done at the shop's side. */
export function Setup({ shop }: { shop: Shop }) {
  if (shop.kind === 'woocommerce') return <WooCommerce shop={shop} />
  if (shop.kind === 'generic') return <Generic shop={shop} />
  return <Elsewhere shop={shop} />
}

function Copied({ label, text }: { label: string; text: string }) {
  const t = useWords()
  const [copied, setCopied] = useState(false)
  return (
    <div className="sh-form">
      <h3>{label}</h3>
      <pre className="sh-code" dir="ltr">
        {text}
      </pre>
      <div className="sh-buttons">
        <Button
          icon={copied ? Check : Copy}
          onPress={() =>
            void navigator.clipboard?.writeText(text).then(
              () => setCopied(true),
              () => undefined,
            )
          }
        >
          {t(copied ? 'shops.copied' : 'shops.copy')}
        </Button>
      </div>
    </div>
  )
}

function WooCommerce({ shop }: { shop: Shop }) {
  const t = useWords()
  return (
    <Card title={t('shops.woo.title')} className="sh-narrow">
      <ol className="sh-steps">
        <li>
          {t('shops.woo.plugin')}
          <div className="sh-buttons">
            <Button
              icon={Download}
              onPress={() =>
                void callFile(pluginFile, {}).catch((e: unknown) => banner.error(failureText(t, e)))
              }
            >
              {t('shops.woo.download')}
            </Button>
          </div>
        </li>
        <li>
          {t('shops.woo.key')}
          <ShopKey shop={shop} />
        </li>
        <li>
          {t('shops.woo.paste')}
          <Copied label={t('shops.woo.address')} text={location.origin} />
          <Copied label={t('shops.woo.shop')} text={shop.id} />
        </li>
      </ol>
      <DryRun shop={shop} />
    </Card>
  )
}

/** Makes the key with the one right that the shop needs, and shows it once. */
function ShopKey({ shop }: { shop: Shop }) {
  const t = useWords()
  const [secret, setSecret] = useState<string>()
  if (secret) return <Copied label={t('shops.woo.keyMade')} text={secret} />
  return (
    <div className="sh-buttons">
      <Button
        icon={KeyRound}
        onPress={async () => {
          try {
            setSecret((await call(makeShopKey, { id: shop.id })).secret)
          } catch (e) {
            banner.error(failureText(t, e))
          }
        }}
      >
        {t('shops.woo.makeKey')}
      </Button>
    </div>
  )
}

/** Proves that an order of the shop would get its document. */
function DryRun({ shop }: { shop: Shop }) {
  const t = useWords()
  return (
    <div className="sh-buttons">
      <Button
        icon={FlaskConical}
        onPress={async () => {
          try {
            await call(tryShop, { id: shop.id })
            banner.success(t('shops.dryRun.ok'))
          } catch (e) {
            banner.error(failureText(t, e))
          }
        }}
      >
        {t('shops.dryRun.run')}
      </Button>
    </div>
  )
}

function Elsewhere({ shop }: { shop: Shop }) {
  const t = useWords()
  return (
    <Card title={t(`shops.kinds.${shop.kind}`)} className="sh-narrow">
      <p>{t('shops.elsewhere', { place: shop.outsideId })}</p>
      <DryRun shop={shop} />
    </Card>
  )
}

type Tried = OutputOf<typeof trySample>

function Generic({ shop }: { shop: Shop }) {
  const t = useWords()
  const [sample, setSample] = useState('')
  const [tried, setTried] = useState<Tried>()
  const [mapping, setMapping] = useState<FieldMapping>(shop.mapping)
  const [secret, setSecret] = useState<string>()
  const hasMapping = Object.keys(mapping).length > 0
  // What was only found in a sample is found again in the next one.
  const [isTyped, setTyped] = useState(hasMapping)
  const { place: tryingRef, ...trying } = useAction(
    ['sample'],
    async () => {
      const answer = await call(trySample, {
        id: shop.id,
        sample,
        ...(isTyped ? { mapping: clean(mapping) } : {}),
      })
      setMapping(answer.mapping)
      setTried(answer)
    },
    { stays: true },
  )
  const { place: savingRef, ...saving } = useAction(
    mappable.map((name) => `mapping.${name}`),
    async () => {
      await call(changeShop, { id: shop.id, mapping: clean(mapping) })
      setTyped(true)
      await refresh()
      banner.success(t('shops.saved'))
    },
    { stays: true },
  )
  const sign = async (off: boolean) => {
    try {
      const answer = await call(signShop, { id: shop.id, off })
      setSecret(answer.secret ?? undefined)
      await refresh()
    } catch (e) {
      banner.error(failureText(t, e))
    }
  }
  return (
    <div className="sh-form sh-narrow">
      <Card title={t('shops.generic.address')}>
        <div className="sh-form">
          <p>{t('shops.generic.addressText')}</p>
          <Copied label={t('shops.fields.address')} text={shop.address} />
          {secret ? (
            <>
              <Note tone="wait">{t('shops.generic.once')}</Note>
              <Copied label={t('shops.generic.secret')} text={secret} />
            </>
          ) : (
            <p className="sub">{t(shop.isSigned ? 'shops.generic.signed' : 'shops.generic.unsigned')}</p>
          )}
          <div className="sh-buttons">
            <Button icon={KeyRound} onPress={() => void sign(false)}>
              {t(shop.isSigned ? 'shops.generic.newSecret' : 'shops.generic.sign')}
            </Button>
            {shop.isSigned && (
              <Button kind="quiet" onPress={() => void sign(true)}>
                {t('shops.generic.signOff')}
              </Button>
            )}
          </div>
        </div>
      </Card>
      <Card title={t('shops.generic.sample')}>
        <form className="sh-form" noValidate ref={tryingRef} onSubmit={trying.run}>
          <LongText
            label={t('shops.fields.sample')}
            hint={t('shops.hints.sample')}
            rows={8}
            value={sample}
            onChange={setSample}
            max={200_000}
            {...trying.error('sample', sample)}
          />
          {trying.rest && <Note tone="late">{trying.rest}</Note>}
          <div className="sh-buttons">
            <Button kind={tried ? undefined : 'primary'} type="submit" icon={FlaskConical} busy={trying.busy}>
              {t('shops.generic.try')}
            </Button>
          </div>
          {tried && <Outcome of={tried} />}
        </form>
      </Card>
      {(tried || hasMapping) && (
        <Card title={t('shops.generic.mapping')}>
          <form className="sh-form" noValidate ref={savingRef} onSubmit={saving.run}>
            <p className="sub">{t('shops.generic.mappingText')}</p>
            {(['order', 'customer', 'line', 'refund'] as const).map((group) => (
              <section key={group} className="sh-form">
                <h3>{t(`shops.mapGroups.${group}`)}</h3>
                <div className="sh-map">
                  {mappable
                    .filter((name) => groupOf(name) === group)
                    .map((name) => (
                      <TextField
                        key={name}
                        label={t(`shops.map.${name}`)}
                        ltr
                        optional={!needed.includes(name)}
                        value={mapping[name] ?? ''}
                        max={120}
                        onChange={(path) => {
                          setTyped(true)
                          setMapping({ ...mapping, [name]: path })
                        }}
                        {...saving.error(`mapping.${name}`, mapping[name])}
                      />
                    ))}
                </div>
              </section>
            ))}
            {saving.rest && <Note tone="late">{saving.rest}</Note>}
            <div className="sh-buttons">
              <Button kind="primary" type="submit" busy={saving.busy}>
                {t('shops.save')}
              </Button>
            </div>
          </form>
        </Card>
      )}
    </div>
  )
}

const ofCustomer = new Set(['name', 'email', 'phone', 'taxId', 'street', 'city', 'zip', 'country'])
const groupOf = (name: string) =>
  ofCustomer.has(name)
    ? 'customer'
    : name.startsWith('line')
      ? 'line'
      : name.startsWith('refund')
        ? 'refund'
        : 'order'

const clean = (mapping: FieldMapping): FieldMapping =>
  Object.fromEntries(
    Object.entries(mapping).flatMap(([name, path]) => (path?.trim() ? [[name, path.trim()]] : [])),
  )

/** The document the sample would become, or what prevents it. */
function Outcome({ of: { missing, trouble, paper } }: { of: Tried }) {
  const t = useWords()
  const { lang } = useLanguage()
  const troubleText = useTroubleText()
  if (missing !== null) return <Note tone="wait">{t('shops.generic.missing', { path: missing })}</Note>
  if (trouble)
    return (
      <Note tone="wait">
        {troubleText({
          trouble: trouble.code,
          troubleParams: trouble.params,
          differenceAgorot: trouble.differenceAgorot,
          currency: 'ILS',
        })}{' '}
        {t(`shops.remedy.${trouble.code}`)}
      </Note>
    )
  if (!paper) return null
  return (
    <div className="sh-form" data-outcome>
      <Note tone="done">
        {t('shops.generic.becomes', {
          type: t(`documents.types.${documentTypeById(paper.type) ?? 'taxInvoice'}`),
          total: withCurrency(paper.totalAgorot, paper.currency, lang),
          vat: withCurrency(paper.vatAgorot, paper.currency, lang),
        })}
      </Note>
      <ul className="sh-lines">
        {paper.lines.map((line, i) => (
          <li key={i}>
            <bdi>
              {line.description} × {line.quantity}
            </bdi>
            <Num>{withCurrency(line.totalAgorot, paper.currency, lang)}</Num>
          </li>
        ))}
      </ul>
    </div>
  )
}

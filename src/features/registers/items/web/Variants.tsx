import { Layers, Plus, WandSparkles, X } from 'lucide-react'
import { useMemo, useState } from 'react'
import { Link } from 'react-aria-components/Link'
import { formatPrice } from '#domain/format.ts'
import { parseDecimal4 } from '#domain/quantity.ts'
import { hasRightCheckDigit } from '#domain/barcode.ts'
import { CallFailure, call, failureText, fieldErrors, useCall, putAnswer } from '#kit/web/calls/call.ts'
import { FlagField } from '#kit/web/fields/FlagField.tsx'
import { PriceField } from '#kit/web/fields/NumberFields.tsx'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Card } from '#kit/web/parts/Card.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { refreshResource, type AnyRow } from '#kit/web/screens/resources.ts'
import { useCan, useSession } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useStateFor } from '#kit/web/hooks/useStateFor.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { getVariants, keepVariants, type Variants } from '../endpoints.ts'
import { items, type Item } from '../items.ts'
import { combinationsOf, keyOfValues, readValues } from './combinations.ts'

interface EditedVariant {
  id?: string
  isThere: boolean
  sku: string
  barcode: string
  priceDifference: string | null
}

interface EditedAttribute {
  name: string
  text: string
}

const blank: EditedVariant = { isThere: false, sku: '', barcode: '', priceDifference: null }

/**
 * Sizes, colours and other options of an item: each combination is a line and a separate item with its codes and its
 * price.
 */
export function Panel({ row }: { row: AnyRow }) {
  const t = useWords()
  const { data, error } = useCall(getVariants, { id: row.id }, { staleTime: 0, refetchOnWindowFocus: false })
  const item = row as AnyRow & Item
  if (item.parentId)
    return (
      <EmptyState
        icon={Layers}
        title={t('items.variants.isVariant')}
        actions={
          <Button href={`/invoice/items/${item.parentId}/variants`}>{t('items.variants.toParent')}</Button>
        }
      >
        {t('items.variants.isVariantText')}
      </EmptyState>
    )
  if (error) return <Note tone="late">{failureText(t, error)}</Note>
  return data ? <Grid key={JSON.stringify(data)} item={item} found={data} /> : <Skeleton lines={6} />
}

function Grid({ item, found }: { item: AnyRow & Item; found: Variants }) {
  const t = useWords()
  const session = useSession()
  const mayChange = useCan()(items.allow.change) && !session?.HideTotalPrices
  const [attributes, setAttributes] = useState<EditedAttribute[]>(() =>
    found.attributes.map(({ name, values }) => ({ name, text: values.join(', ') })),
  )
  const [variants, setVariants] = useState<Record<string, EditedVariant>>(() =>
    Object.fromEntries(
      found.rows.map((one) => [
        keyOfValues(one.values),
        {
          id: one.id,
          isThere: true,
          sku: one.sku ?? '',
          barcode: one.barcode ?? '',
          priceDifference: Number(one.priceDifference) === 0 ? null : one.priceDifference,
        },
      ]),
    ),
  )
  const [dirty, setDirty] = useState(false)
  const [busy, setBusy] = useState(false)
  const edited = useMemo(() => [variants, attributes], [variants, attributes])
  const [failure, setFailure] = useStateFor<unknown>(edited, undefined)

  const read = attributes
    .map(({ name, text }) => ({ name: name.trim(), values: readValues(text) }))
    .filter(({ name, values }) => name && values.length)
  const combinations = combinationsOf(read)
  const isTooMany = combinations.length > 500
  const listed = isTooMany
    ? []
    : combinations.map((values) => ({
        values,
        key: keyOfValues(values),
        of: variants[keyOfValues(values)] ?? blank,
      }))
  const kept = listed.filter(({ of }) => of.isThere)
  const put = (key: string, change: Partial<EditedVariant>) => {
    setDirty(true)
    setVariants((before) => ({ ...before, [key]: { ...(before[key] ?? blank), ...change } }))
  }
  const putAttribute = (at: number, change: Partial<EditedAttribute>) => {
    setDirty(true)
    setAttributes((before) => before.map((one, i) => (i === at ? { ...one, ...change } : one)))
  }
  const parentPrice = parseDecimal4(item.price ?? '0') ?? 0
  const names = kept.flatMap((_, i) => [`variants.${i}.sku`, `variants.${i}.barcode`])
  const said = failure
    ? fieldErrors(t, failure, names)
    : { fields: {} as Record<string, string>, rest: undefined }
  const rest = failure
    ? failure instanceof CallFailure && Object.keys(said.fields).length > 0
      ? said.rest
      : failureText(t, failure)
    : undefined

  const fill = () => {
    setDirty(true)
    setVariants((before) =>
      Object.fromEntries(
        listed.map(({ key, of }, i) => [
          key,
          {
            ...(before[key] ?? blank),
            ...(of.isThere && !of.sku ? { sku: `${item.sku || 'V'}-${i + 1}`.slice(0, 40) } : {}),
          },
        ]),
      ),
    )
  }
  const save = async () => {
    setBusy(true)
    try {
      const after = await call(keepVariants, {
        id: item.id,
        attributes: read,
        variants: kept.map(({ values, of }) => ({
          ...(of.id ? { id: of.id } : {}),
          values,
          sku: of.sku.trim() || null,
          barcode: of.barcode.trim() || null,
          priceDifference: of.priceDifference ?? '0',
        })),
      })
      banner.success(t('items.variants.saved', { count: after.rows.length }))
      putAnswer(getVariants, { id: item.id }, after)
      await refreshResource(items)
      setDirty(false)
    } catch (e) {
      setFailure(e)
    } finally {
      setBusy(false)
    }
  }

  if (!mayChange && found.rows.length === 0)
    return <EmptyState icon={Layers} title={t('items.variants.none')} />
  return (
    <div className="grid gap-4">
      {rest && <Note tone="late">{rest}</Note>}
      {mayChange && (
        <Card title={t('items.variants.attributes')} hint={t('items.variants.attributesHint')}>
          <div className="grid gap-3">
            {attributes.map((one, i) => (
              <div key={i} className="it-attribute">
                <TextField
                  label={t('items.variants.attribute')}
                  placeholder={t('items.variants.attributeExample')}
                  max={40}
                  value={one.name}
                  onChange={(name) => putAttribute(i, { name })}
                />
                <TextField
                  label={t('items.variants.values')}
                  placeholder={t('items.variants.valuesExample')}
                  value={one.text}
                  onChange={(text) => putAttribute(i, { text })}
                />
                <Button
                  kind="quiet"
                  icon={X}
                  label={t('items.variants.dropAttribute', { name: one.name })}
                  onPress={() => {
                    setDirty(true)
                    setAttributes((before) => before.filter((_, at) => at !== i))
                  }}
                />
              </div>
            ))}
            {attributes.length < 4 && (
              <div>
                <Button
                  kind="soft"
                  size="s"
                  icon={Plus}
                  onPress={() => setAttributes((before) => [...before, { name: '', text: '' }])}
                >
                  {t('items.variants.addAttribute')}
                </Button>
              </div>
            )}
          </div>
        </Card>
      )}
      {isTooMany && <Note tone="wait">{t('items.variants.tooMany', { count: combinations.length })}</Note>}
      {listed.length > 0 && (
        <Card
          flush
          title={t('items.variants.title')}
          hint={t('items.variants.count', { count: kept.length })}
          end={
            mayChange && (
              <span className="it-acts">
                <Button
                  kind="quiet"
                  size="s"
                  onPress={() => listed.forEach(({ key }) => put(key, { isThere: true }))}
                >
                  {t('items.variants.all')}
                </Button>
                <Button kind="quiet" size="s" icon={WandSparkles} onPress={fill}>
                  {t('items.variants.fillSkus')}
                </Button>
              </span>
            )
          }
        >
          <div className="it-grid" role="table" aria-label={t('items.variants.title')}>
            <div role="row" data-head="">
              <span role="columnheader">{t('items.variants.combination')}</span>
              <span role="columnheader">{t('items.fields.sku')}</span>
              <span role="columnheader">{t('items.fields.barcode')}</span>
              <span role="columnheader" className="r">
                {t('items.fields.priceDifference')}
              </span>
              <span role="columnheader" className="r">
                {t('items.fields.price')}
              </span>
            </div>
            {listed.map(({ key, values, of }) => {
              const name = read.map((one) => values[one.name]).join(' / ')
              const at = kept.findIndex((one) => one.key === key)
              const price = parentPrice + (parseDecimal4(of.priceDifference ?? '0') ?? 0)
              const isWrong = hasRightCheckDigit(of.barcode.trim()) === false
              return (
                <div role="row" key={key} data-off={of.isThere ? undefined : ''}>
                  <span role="cell" className="it-what">
                    {mayChange && (
                      <FlagField
                        hideLabel
                        label={name}
                        value={of.isThere}
                        onChange={(isThere) => put(key, { isThere })}
                      />
                    )}
                    {of.id && of.isThere ? (
                      <Link className="link cut" href={`/invoice/items/${of.id}`}>
                        <bdi>{name}</bdi>
                      </Link>
                    ) : (
                      <bdi className="cut">{name}</bdi>
                    )}
                  </span>
                  <span role="cell">
                    <TextField
                      hideLabel
                      bare
                      ltr
                      max={40}
                      label={t('items.variants.skuOf', { name })}
                      placeholder={t('items.fields.sku')}
                      disabled={!of.isThere || !mayChange}
                      value={of.sku}
                      onChange={(sku) => put(key, { sku })}
                      {...(said.fields[`variants.${at}.sku`]
                        ? { error: said.fields[`variants.${at}.sku`]! }
                        : {})}
                    />
                  </span>
                  <span role="cell">
                    <TextField
                      hideLabel
                      bare
                      ltr
                      max={40}
                      label={t('items.variants.barcodeOf', { name })}
                      placeholder={t('items.fields.barcode')}
                      disabled={!of.isThere || !mayChange}
                      value={of.barcode}
                      onChange={(barcode) => put(key, { barcode: barcode.replace(/\s/g, '') })}
                      {...(isWrong ? { hint: t('items.wrongCheckDigit'), tone: 'wait' as const } : {})}
                      {...(said.fields[`variants.${at}.barcode`]
                        ? { error: said.fields[`variants.${at}.barcode`]! }
                        : {})}
                    />
                  </span>
                  <span role="cell">
                    <PriceField
                      hideLabel
                      bare
                      label={t('items.variants.differenceOf', { name })}
                      placeholder="0.00"
                      disabled={!of.isThere || !mayChange}
                      value={of.priceDifference}
                      onChange={(priceDifference) => put(key, { priceDifference })}
                    />
                  </span>
                  <span role="cell" className="r">
                    {session?.HideTotalPrices ? null : <Num>{formatPrice(Math.max(0, price))}</Num>}
                  </span>
                </div>
              )
            })}
          </div>
        </Card>
      )}
      {mayChange && (dirty || listed.length > 0) && (
        <div>
          <Button kind="primary" busy={busy} isDisabled={!dirty} onPress={() => void save()}>
            {t('items.variants.save')}
          </Button>
        </div>
      )}
    </div>
  )
}

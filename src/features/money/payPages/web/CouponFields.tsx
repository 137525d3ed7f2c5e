import { useState } from 'react'
import { useCall } from '#kit/web/calls/call.ts'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { DayField } from '#kit/web/fields/DayField.tsx'
import { FlagField } from '#kit/web/fields/FlagField.tsx'
import { MoneyField, PercentField, WholeField } from '#kit/web/fields/NumberFields.tsx'
import type { Option } from '#kit/web/fields/Combo.tsx'
import { RefField } from '#kit/web/fields/RefField.tsx'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { searchIn } from '#kit/web/screens/resources.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { getPage, type CouponAnswer } from '../endpoints.ts'
import { payPages } from '../payPages.ts'

export interface Terms {
  name: string
  kind: 'percent' | 'sum'
  valueBp: number | null
  valueAgorot: number | null
  pageId: string | null
  itemIds: string[]
  firstOnly: boolean
  fromDay: string | null
  toDay: string | null
  usesMax: number | null
  perCustomer: number | null
  leastAgorot: number | null
}

export const freshTerms: Terms = {
  name: '',
  kind: 'percent',
  valueBp: 1000,
  valueAgorot: null,
  pageId: null,
  itemIds: [],
  firstOnly: true,
  fromDay: null,
  toDay: null,
  usesMax: null,
  perCustomer: null,
  leastAgorot: null,
}
export const termsOf = (coupon: CouponAnswer): Terms => {
  const {
    id: _id,
    code: _code,
    state: _state,
    used: _used,
    givenAgorot: _given,
    broughtAgorot: _brought,
    ...terms
  } = coupon
  return terms
}

/** What a coupon gives, to whom and until when. */
export function CouponFields({
  terms,
  put,
  error,
}: {
  terms: Terms
  put: (change: Partial<Terms>) => void
  error: (name: string, value: unknown) => { error?: string }
}) {
  const t = useWords()
  const page = useCall(getPage, { id: terms.pageId ?? '' }, { enabled: terms.pageId !== null })
  const [named, setNamed] = useState<Option | null>(null)
  const content = page.data?.content
  const shown =
    named ??
    (terms.pageId && content
      ? { key: terms.pageId, label: content.texts[content.language]?.title ?? '' }
      : null)
  const label = (name: string) => t(`coupons.fields.${name}`)
  return (
    <>
      <TextField
        label={label('name')}
        optional
        value={terms.name}
        onChange={(name) => put({ name })}
        max={80}
        {...error('name', terms.name)}
      />
      <ChoiceField
        label={label('kind')}
        value={terms.kind}
        onChange={(kind) => kind && put({ kind })}
        choices={(['percent', 'sum'] as const).map((value) => ({ value, label: t(`coupons.kind.${value}`) }))}
        {...error('kind', terms.kind)}
      />
      {terms.kind === 'percent' ? (
        <PercentField
          label={label('valueBp')}
          value={terms.valueBp}
          onChange={(valueBp) => put({ valueBp })}
          {...error('valueBp', terms.valueBp)}
        />
      ) : (
        <MoneyField
          label={label('valueAgorot')}
          value={terms.valueAgorot}
          onChange={(valueAgorot) => put({ valueAgorot })}
          {...error('valueAgorot', terms.valueAgorot)}
        />
      )}
      <RefField
        label={label('pageId')}
        optional
        hint={t('coupons.pageHint')}
        value={shown}
        onChange={(chosen) => {
          setNamed(chosen)
          put({ pageId: chosen?.key ?? null, itemIds: [] })
        }}
        search={searchIn(payPages)}
        {...error('pageId', terms.pageId)}
      />
      {content && content.items.length > 1 && (
        <fieldset className="pe-set">
          <legend>{label('itemIds')}</legend>
          {content.items.map((item) => (
            <FlagField
              key={item.id}
              label={<bdi>{item.names[content.language] ?? Object.values(item.names)[0]}</bdi>}
              value={terms.itemIds.includes(item.id)}
              onChange={(on) =>
                put({
                  itemIds: on ? [...terms.itemIds, item.id] : terms.itemIds.filter((one) => one !== item.id),
                })
              }
            />
          ))}
          <p className="hint">{t('coupons.itemsHint')}</p>
        </fieldset>
      )}
      <FlagField
        label={label('firstOnly')}
        hint={t('coupons.firstOnlyHint')}
        value={terms.firstOnly}
        onChange={(firstOnly) => put({ firstOnly })}
        name="firstOnly"
      />
      <div className="pe-two">
        <DayField
          label={label('fromDay')}
          optional
          value={terms.fromDay}
          onChange={(fromDay) => put({ fromDay })}
          {...error('fromDay', terms.fromDay)}
        />
        <DayField
          label={label('toDay')}
          optional
          value={terms.toDay}
          onChange={(toDay) => put({ toDay })}
          {...error('toDay', terms.toDay)}
        />
      </div>
      <div className="pe-two">
        <WholeField
          label={label('usesMax')}
          optional
          value={terms.usesMax}
          onChange={(usesMax) => put({ usesMax })}
          {...error('usesMax', terms.usesMax)}
        />
        <WholeField
          label={label('perCustomer')}
          optional
          value={terms.perCustomer}
          onChange={(perCustomer) => put({ perCustomer })}
          {...error('perCustomer', terms.perCustomer)}
        />
      </div>
      <MoneyField
        label={label('leastAgorot')}
        optional
        value={terms.leastAgorot}
        onChange={(leastAgorot) => put({ leastAgorot })}
        {...error('leastAgorot', terms.leastAgorot)}
      />
    </>
  )
}

export const couponNames = [
  'code',
  'name',
  'kind',
  'valueBp',
  'valueAgorot',
  'pageId',
  'itemIds',
  'fromDay',
  'toDay',
  'usesMax',
  'perCustomer',
  'leastAgorot',
] as const

import { useState } from 'react'
import { call, failureText, keyOf, queryClient } from '#kit/web/calls/call.ts'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { FlagField } from '#kit/web/fields/FlagField.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { useWords } from '#kit/web/words/words.tsx'
import { changeKey, listKeys, tradeCurrencies, type ApiKey } from '../endpoints.ts'

type Said = Pick<ApiKey, 'tradeCurrencies' | 'tradeAlwaysOk'>

/** `code` stands for nothing chosen: a number that could mean two currencies is refused. */
const counts = ['code', ...tradeCurrencies] as const

/**
 * How a program that was written for another product is understood and answered; what is changed holds from
 * the next call.
 */
export function TradeSettings({ of }: { of: ApiKey }) {
  const t = useWords()
  const [said, setSaid] = useState<Said>({
    tradeCurrencies: of.tradeCurrencies,
    tradeAlwaysOk: of.tradeAlwaysOk,
  })
  const [refusal, setRefusal] = useState<string>()
  const change = async (next: Partial<Said>) => {
    const before = said
    setSaid({ ...said, ...next })
    setRefusal(undefined)
    try {
      await call(changeKey, { id: of.id, ...next })
      await queryClient.invalidateQueries({ queryKey: keyOf(listKeys) })
    } catch (e) {
      setSaid(before)
      setRefusal(failureText(t, e))
    }
  }
  const count = said.tradeCurrencies ?? 'code'
  return (
    <section className="ak-form" aria-label={t('apiKeys.trade.title')}>
      <div>
        <h3>{t('apiKeys.trade.title')}</h3>
        <p className="sub">{t('apiKeys.trade.text')}</p>
      </div>
      <ChoiceField<(typeof counts)[number]>
        label={t('apiKeys.fields.tradeCurrencies')}
        value={count}
        onChange={(next) => void change({ tradeCurrencies: next === 'code' ? null : next })}
        choices={counts.map((value) => ({ value, label: t(`apiKeys.trade.${value}`) }))}
        hint={t(`apiKeys.trade.${count}Hint`)}
      />
      <FlagField
        as="switch"
        label={t('apiKeys.fields.tradeAlwaysOk')}
        hint={t('apiKeys.hints.tradeAlwaysOk')}
        value={said.tradeAlwaysOk}
        onChange={(tradeAlwaysOk) => void change({ tradeAlwaysOk })}
      />
      {refusal && <Note tone="late">{refusal}</Note>}
    </section>
  )
}

import { Refusal } from './plan.ts'

export interface Column {
  name: string
  kind: string
  need: boolean
  words: string
  choices: { name: string; words: string }[]
}

const kinds = [
  'text',
  'longText',
  'email',
  'phone',
  'taxId',
  'money',
  'price',
  'quantity',
  'percent',
  'number',
  'day',
  'moment',
  'flag',
  'choice',
]

/** 'name:text!:Name,state:choice(open=Open|won=Won):State' as columns. Refuses what has no words. */
export function columnsOf(text: string): Column[] {
  return text.split(/,(?![^(]*\))/).map((part) => {
    const said = /^\s*([a-z]\w*):(\w+)(?:\(([^)]*)\))?(!?):(.+?)\s*$/.exec(part)
    if (!said) throw new Refusal(`not understood: ${part.trim()} (name:kind:Words)`)
    const [, name = '', kind = '', of = '', need = '', words = ''] = said
    // References need a table, a key and a name to show: that is written by hand, after
    // src/features/registers/items.
    if (!kinds.includes(kind))
      throw new Refusal(`${name} is of kind ${kind}; known here: ${kinds.join(', ')}`)
    if (kind === 'money' && !name.endsWith('Agorot'))
      throw new Refusal(`${name} is money: its name says so, ${name}Agorot`)
    const choices = of
      .split('|')
      .filter(Boolean)
      .map((choice) => {
        const [key = '', shown = ''] = choice.split('=')
        if (!/^[a-z]\w*$/.test(key.trim()) || !shown.trim())
          throw new Refusal(`the choice ${choice} has no words: ${key}=Words`)
        return { name: key.trim(), words: shown.trim() }
      })
    if ((kind === 'choice') !== choices.length > 0)
      throw new Refusal(`${name}: a choice is written choice(open=Open|won=Won)`)
    return { name, kind, need: need === '!', words, choices }
  })
}

import { expect, test } from 'vitest'
import { readTerms } from './writtenTerms.ts'

test.each([
  ['now', 'now'],
  ['eom:30', 'eom:30'],
  ['net:7', 'net:7'],
  ['שוטף', 'eom:0'],
  ['שוטף + 30', 'eom:30'],
  ['שוטף+60', 'eom:60'],
  ['שוטף 45', 'eom:45'],
  ['שוטף פלוס 30 יום', 'eom:30'],
  ['ש+90', 'eom:90'],
  ['EOM 30', 'eom:30'],
  ['End of month + 30 days', 'eom:30'],
  ['Конец месяца + 30 дней', 'eom:30'],
  ['نهاية الشهر + 30 يوما', 'eom:30'],
  ['Fin de mois + 30 jours', 'eom:30'],
  ['מיידי', 'now'],
  ['תשלום מיידי', 'now'],
  ['מזומן', 'now'],
  ['Paiement immédiat', 'now'],
  ['net 30', 'net:30'],
  ['נטו 14', 'net:14'],
  ['30 יום', 'net:30'],
  ['30 ימים מתאריך המסמך', 'net:30'],
  ['30 days from the document date', 'net:30'],
  ['30 дней с даты документа', 'net:30'],
])('%s is %s', (text, terms) => {
  expect(readTerms(text)).toBe(terms)
})

test.each([
  '30',
  '',
  'ש',
  'שוטפת',
  'net:1000',
  'שוטף + חודש',
  'לפי הסכם',
  '30 40 יום',
  'שוטף + 30 + 5',
  '12 תשלומים',
])('of “%s” nothing is made up', (text) => {
  expect(readTerms(text)).toBeUndefined()
})

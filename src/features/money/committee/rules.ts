import { defineArea } from '#kit/describe/area.ts'
import { defineErrors } from '#kit/describe/errors.ts'
import { defineRules } from '#kit/describe/session.ts'

defineRules({ 'committee.see': 281, 'committee.change': 282, 'committee.decide': 283 })

defineArea('committee', {
  rules: ['committee.see', 'committee.change', 'committee.decide'],
  fits: ['committee'],
  begins: ['committee'],
  rows: ['committee_buildings'],
  href: '/invoice/vaadpaymonth',
  order: 94,
})

defineErrors({
  'committee.twoPayers': 422,
  'committee.beforeBuilding': 422,
  'committee.notOnline': 422,
  'committee.lineTaken': 409,
  'committee.noFlats': 422,
  'committee.noArea': 422,
  'committee.noFloor': 422,
  'committee.sharesNotWhole': 422,
  'committee.noOwn': 422,
  'committee.noRate': 422,
  'committee.aboveVote': 422,
  'committee.votesLost': 422,
  'committee.nobodyPays': 422,
  'committee.monthsTooMany': 422,
  'committee.allAsked': 409,
  'committee.nobodyOwes': 422,
  'committee.levyPaid': 409,
  'committee.alreadyCancelled': 409,
})

import { defineArea, trades } from '#kit/describe/area.ts'
import { defineErrors } from '#kit/describe/errors.ts'
import { defineRules } from '#kit/describe/session.ts'

// Quantities and what they are worth are two rights: who packs need not know what it cost.
defineRules({
  'stock.see': 275,
  'stock.cost': 276,
  'stock.change': 277,
  'stock.count': 278,
  'stock.approve': 279,
})

defineArea('stock', {
  rules: ['stock.see', 'stock.cost', 'stock.change', 'stock.count', 'stock.approve'],
  fits: ['shop', 'contractor'],
  begins: ['shop'],
  rows: ['stock_moves'],
  href: '/invoice/storage',
  order: 62,
})

defineArea('serials', {
  rules: [],
  fits: trades,
  begins: [],
  rows: ['serials'],
  href: '/invoice/serialssearch',
  order: 63,
})

defineErrors({
  'stock.stays': 409,
  'stock.notEnough': 422,
  'stock.nothingThere': 422,
  'stock.samePlace': 422,
  'stock.notStocked': 422,
  'stock.dayClosed': 422,
  'stock.dayAhead': 422,
  'stock.batchExpired': 422,
  'stock.alreadyArrived': 409,
  'stock.arrivedTooMuch': 422,
  'stock.partsCircle': 422,
  'stock.noParts': 422,
  'stock.placeInUse': 409,
  'stock.costingAfterMoves': 409,
  'stock.nothingToOrder': 422,
  'stock.nothingToClose': 422,
  'stock.serialTaken': 422,
  'stock.serialTwice': 422,
  'stock.serialUnknown': 422,
  'stock.serialNotHere': 422,
  'stock.serialTooMany': 422,
  'stock.notSerial': 422,
  'stock.moreUnits': 422,
  'stock.unitsUnsaid': 422,
  'stock.nothingToCount': 422,
  'stock.countClosed': 409,
  'stock.otherSheet': 422,
  'stock.secondMissing': 422,
})

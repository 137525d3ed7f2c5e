<?php
/**
 * An order as Pinkas takes it: the shape of WooCommerce's own REST API.
 *
 * @package Pinkas
 */

if ( ! defined( 'ABSPATH' ) ) {
	exit;
}

/** Reads an order through WooCommerce's own functions, whichever tables it stands in. */
final class Pinkas_Order {

	/**
	 * The order with its lines and refunds.
	 *
	 * @param WC_Order $order The order.
	 * @return array
	 */
	public static function to_array( $order ) {
		$billing  = $order->get_address( 'billing' );
		$shipping = $order->get_address( 'shipping' );
		return array(
			'id'                => (string) $order->get_id(),
			'number'            => (string) $order->get_order_number(),
			'status'            => $order->get_status(),
			'currency'          => $order->get_currency(),
			'date_created'      => self::moment( $order->get_date_created() ),
			'date_modified_gmt' => self::moment_gmt( $order->get_date_modified() ),
			'date_paid'         => self::moment( $order->get_date_paid() ),
			'date_completed'    => self::moment( $order->get_date_completed() ),
			'total'             => self::text( $order->get_total() ),
			'total_tax'         => self::text( $order->get_total_tax() ),
			'payment_method'    => $order->get_payment_method(),
			'transaction_id'    => $order->get_transaction_id(),
			'language'          => self::language( $order ),
			'is_tourist'        => 'yes' === $order->get_meta( '_pinkas_tourist' ),
			'is_vat_exempt'     => 'yes' === $order->get_meta( 'is_vat_exempt' ),
			'tax_id'            => self::tax_id( $order ),
			'billing'           => self::pick( $billing, array( 'first_name', 'last_name', 'company', 'address_1', 'city', 'postcode', 'country', 'email', 'phone' ) ),
			'shipping'          => self::pick( $shipping, array( 'city', 'country' ) ),
			'line_items'        => self::lines( $order->get_items( 'line_item' ) ),
			'shipping_lines'    => self::extras( $order->get_items( 'shipping' ) ),
			'fee_lines'         => self::extras( $order->get_items( 'fee' ) ),
			'gift_cards'        => self::gift_cards( $order ),
			'refunds'           => self::refunds( $order ),
		);
	}

	/** Goods, before and after coupons. */
	private static function lines( $items ) {
		$lines = array();
		foreach ( $items as $item ) {
			$product = is_callable( array( $item, 'get_product' ) ) ? $item->get_product() : null;
			$lines[] = array(
				'name'         => wp_strip_all_tags( $item->get_name() ),
				'sku'          => $product ? (string) $product->get_sku() : '',
				'quantity'     => $item->get_quantity(),
				'subtotal'     => self::text( $item->get_subtotal() ),
				'subtotal_tax' => self::text( $item->get_subtotal_tax() ),
				'total'        => self::text( $item->get_total() ),
				'total_tax'    => self::text( $item->get_total_tax() ),
				'is_gift_card' => $product && method_exists( $product, 'is_type' ) && $product->is_type( array( 'gift-card', 'pw-gift-card', 'gift_card' ) ),
			);
		}
		return $lines;
	}

	private static function extras( $items ) {
		$lines = array();
		foreach ( $items as $item ) {
			$lines[] = array(
				'name'         => wp_strip_all_tags( $item->get_name() ),
				'method_title' => wp_strip_all_tags( $item->get_name() ),
				'total'        => self::text( $item->get_total() ),
				'total_tax'    => self::text( $item->get_total_tax() ),
			);
		}
		return $lines;
	}

	/** What gift cards paid; the two well-known plug-ins keep it as lines of their own kind. */
	private static function gift_cards( $order ) {
		$cards = array();
		foreach ( array( 'gift_card', 'pw_gift_card' ) as $type ) {
			foreach ( $order->get_items( $type ) as $item ) {
				$amount = is_callable( array( $item, 'get_amount' ) ) ? $item->get_amount() : 0;
				if ( (float) $amount > 0 ) {
					$cards[] = array( 'amount' => self::text( $amount ) );
				}
			}
		}
		return $cards;
	}

	private static function refunds( $order ) {
		$refunds = array();
		foreach ( $order->get_refunds() as $refund ) {
			$refunds[] = array(
				'id'           => (string) $refund->get_id(),
				'amount'       => self::text( $refund->get_amount() ),
				'reason'       => (string) $refund->get_reason(),
				'date_created' => self::moment( $refund->get_date_created() ),
			);
		}
		return $refunds;
	}

	private static function tax_id( $order ) {
		foreach ( array( '_billing_tax_id', 'billing_tax_id', '_billing_vat', '_vat_number', '_billing_company_id' ) as $key ) {
			$digits = preg_replace( '/\D/', '', (string) $order->get_meta( $key ) );
			if ( '' !== $digits ) {
				return $digits;
			}
		}
		return '';
	}

	private static function language( $order ) {
		$said = (string) $order->get_meta( 'wpml_language' );
		return substr( '' !== $said ? $said : get_locale(), 0, 2 );
	}

	private static function pick( $from, $names ) {
		$picked = array();
		foreach ( $names as $name ) {
			$picked[ $name ] = isset( $from[ $name ] ) ? (string) $from[ $name ] : '';
		}
		return $picked;
	}

	private static function moment( $date ) {
		return $date ? $date->format( 'Y-m-d\TH:i:sP' ) : null;
	}

	private static function moment_gmt( $date ) {
		return $date ? gmdate( 'Y-m-d\TH:i:s', $date->getTimestamp() ) : null;
	}

	/** Sums as text: PHP's floats would print 117.00000000000001. */
	private static function text( $number ) {
		return rtrim( rtrim( number_format( (float) $number, 6, '.', '' ), '0' ), '.' );
	}
}

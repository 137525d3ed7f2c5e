<?php
/**
 * When an order is sent, and what of the answer is kept.
 *
 * @package Pinkas
 */

if ( ! defined( 'ABSPATH' ) ) {
	exit;
}

/** Sends orders behind the buyer's back: he never waits for Pinkas. */
final class Pinkas_Sender {

	const META_ID      = '_pinkas_document_id';
	const META_NUMBER  = '_pinkas_document_number';
	const META_URL     = '_pinkas_document_url';
	const META_CREDITS = '_pinkas_credits';
	const META_TROUBLE = '_pinkas_trouble';
	/** Seconds that a mail, and with it the buyer at the checkout, waits for a document. */
	const MAIL_WAITS = 4;
	/** Minutes until each further try. */
	const WAITS = array( 1, 5, 30, 120, 600, 1440 );

	public static function hook() {
		foreach ( array( 'woocommerce_payment_complete', 'woocommerce_order_status_processing', 'woocommerce_order_status_completed' ) as $action ) {
			add_action( $action, array( __CLASS__, 'soon' ), 20, 1 );
		}
		// A partial refund changes no status: it is heard of by itself.
		add_action( 'woocommerce_order_refunded', array( __CLASS__, 'soon' ), 20, 1 );
		add_action( 'pinkas_send_order', array( __CLASS__, 'send' ), 10, 2 );
		add_action( 'pinkas_sweep', array( __CLASS__, 'sweep' ) );
		// The mail of an order that is paid bears its document: what is fast enough is there before it leaves.
		add_action( 'woocommerce_email_before_order_table', array( __CLASS__, 'before_mail' ), 1, 1 );
	}

	/** Puts an order into the queue once; what stands there already is enough. */
	public static function soon( $order_id, $try = 0, $wait = 0 ) {
		$args = array( (int) $order_id, (int) $try );
		if ( function_exists( 'as_schedule_single_action' ) ) {
			if ( ! as_has_scheduled_action( 'pinkas_send_order', $args, 'pinkas' ) ) {
				as_schedule_single_action( time() + $wait, 'pinkas_send_order', $args, 'pinkas' );
			}
		} elseif ( ! wp_next_scheduled( 'pinkas_send_order', $args ) ) {
			wp_schedule_single_event( time() + $wait, 'pinkas_send_order', $args );
		}
	}

	/**
	 * Sends an order and keeps what came of it.
	 *
	 * @param int $order_id The order.
	 * @param int $try      How often it was tried before.
	 * @param int $timeout  Seconds after which nobody waits any longer.
	 * @return bool Whether it has its document.
	 */
	public static function send( $order_id, $try = 0, $timeout = 20 ) {
		$order = wc_get_order( $order_id );
		if ( ! $order || is_a( $order, 'WC_Order_Refund' ) ) {
			return false;
		}
		$answer = Pinkas_Client::send( Pinkas_Order::to_array( $order ), $timeout );
		if ( is_wp_error( $answer ) ) {
			$data = $answer->get_error_data();
			self::log( 'error', $order_id, $answer->get_error_message() );
			$order->update_meta_data( self::META_TROUBLE, $answer->get_error_message() );
			$order->save();
			if ( ! empty( $data['again'] ) && isset( self::WAITS[ $try ] ) ) {
				self::soon( $order_id, $try + 1, self::WAITS[ $try ] * 60 );
			}
			return false;
		}
		self::keep( $order, $answer );
		return ! empty( $answer['document'] );
	}

	private static function keep( $order, $answer ) {
		$is_new = ! empty( $answer['document'] ) && (string) $order->get_meta( self::META_ID ) !== (string) $answer['document']['id'];
		if ( ! empty( $answer['document'] ) ) {
			$order->update_meta_data( self::META_ID, $answer['document']['id'] );
			$order->update_meta_data( self::META_NUMBER, (string) $answer['document']['number'] );
			$order->update_meta_data( self::META_URL, isset( $answer['urls']['page'] ) ? $answer['urls']['page'] : '' );
		}
		$credits = self::credits( $answer );
		$fresh   = array_diff( $credits, self::credits_of( $order ) );
		if ( $fresh ) {
			$order->update_meta_data( self::META_CREDITS, implode( ', ', $credits ) );
		}
		if ( ! empty( $answer['trouble'] ) || ! empty( $answer['hasRefundTrouble'] ) ) {
			$order->update_meta_data( self::META_TROUBLE, __( 'Waits for a person in Pinkas.', 'pinkas-for-woocommerce' ) );
			self::log( 'warning', $order->get_id(), 'needs a person: ' . ( ! empty( $answer['trouble'] ) ? $answer['trouble'] : 'refund' ) );
		} else {
			$order->delete_meta_data( self::META_TROUBLE );
		}
		$order->save();
		if ( $is_new ) {
			/* translators: number of a document. */
			$order->add_order_note( sprintf( __( 'Pinkas document %s was issued.', 'pinkas-for-woocommerce' ), $answer['document']['number'] ) );
			self::log( 'info', $order->get_id(), 'document ' . $answer['document']['number'] );
		}
		foreach ( $fresh as $number ) {
			/* translators: number of a credit. */
			$order->add_order_note( sprintf( __( 'Pinkas credit %s was issued.', 'pinkas-for-woocommerce' ), $number ) );
			self::log( 'info', $order->get_id(), 'credit ' . $number );
		}
	}

	/** Numbers of the documents that gave money back. */
	private static function credits( $answer ) {
		$numbers = array();
		foreach ( isset( $answer['refunds'] ) && is_array( $answer['refunds'] ) ? $answer['refunds'] : array() as $refund ) {
			if ( ! empty( $refund['credit']['number'] ) ) {
				$numbers[] = (string) $refund['credit']['number'];
			}
		}
		return $numbers;
	}

	/** Those that are known of an order. */
	public static function credits_of( $order ) {
		return array_filter( explode( ', ', (string) $order->get_meta( self::META_CREDITS ) ) );
	}

	/** An order whose mail is about to leave is sent now, where it has no document yet: once, for the shop and the buyer get a mail each. */
	public static function before_mail( $order ) {
		static $tried = array();
		if ( ! is_a( $order, 'WC_Order' ) || ! $order->is_paid() || isset( $tried[ $order->get_id() ] ) || 'yes' !== Pinkas_Settings::all()['mail'] ) {
			return;
		}
		$tried[ $order->get_id() ] = true;
		if ( '' === (string) $order->get_meta( self::META_ID ) ) {
			self::send( $order->get_id(), 0, self::MAIL_WAITS );
		}
	}

	/** Once a day: paid orders of the last three days whose notice was lost, and those that were refunded. */
	public static function sweep() {
		$orders = wc_get_orders(
			array(
				'limit'         => 200,
				'type'          => 'shop_order',
				'status'        => array( 'wc-processing', 'wc-completed', 'wc-refunded' ),
				'date_modified' => '>' . ( time() - 3 * DAY_IN_SECONDS ),
				'return'        => 'ids',
			)
		);
		foreach ( $orders as $order_id ) {
			self::soon( $order_id );
		}
	}

	public static function log( $level, $order_id, $message ) {
		wc_get_logger()->log( $level, '#' . $order_id . ' ' . $message, array( 'source' => 'pinkas' ) );
	}
}

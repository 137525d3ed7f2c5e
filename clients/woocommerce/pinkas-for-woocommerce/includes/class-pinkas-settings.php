<?php
/**
 * The page under WooCommerce › Pinkas.
 *
 * @package Pinkas
 */

if ( ! defined( 'ABSPATH' ) ) {
	exit;
}

/** Address, key and id of the store; how orders become documents is set in Pinkas. */
final class Pinkas_Settings {

	const OPTION  = 'pinkas_wc';
	const CHECKED = 'pinkas_checked_';

	public static function hook() {
		add_action( 'admin_menu', array( __CLASS__, 'menu' ) );
		add_action( 'admin_post_pinkas_save', array( __CLASS__, 'save' ) );
	}

	/**
	 * What is set.
	 *
	 * @return array{url: string, key: string, shop: string, mail: string}
	 */
	public static function all() {
		$set = get_option( self::OPTION, array() );
		return array_merge( array( 'url' => '', 'key' => '', 'shop' => '', 'mail' => 'yes' ), is_array( $set ) ? $set : array() );
	}

	public static function menu() {
		add_submenu_page( 'woocommerce', 'Pinkas', 'Pinkas', 'manage_woocommerce', 'pinkas', array( __CLASS__, 'page' ) );
	}

	/**
	 * What may be kept of what was typed.
	 *
	 * @param array $given Typed.
	 * @param array $before What was kept before; an empty key keeps the old one, which is never shown.
	 * @return array
	 */
	public static function clean( $given, $before ) {
		$url = isset( $given['url'] ) ? esc_url_raw( trim( (string) $given['url'] ) ) : '';
		$key = isset( $given['key'] ) ? trim( (string) $given['key'] ) : '';
		return array(
			'url'  => preg_match( '#^https://#', $url ) || preg_match( '#^http://(localhost|127\.0\.0\.1)([:/]|$)#', $url ) ? untrailingslashit( $url ) : '',
			'key'  => '' === $key ? $before['key'] : preg_replace( '/[^\w-]/', '', $key ),
			'shop' => isset( $given['shop'] ) && preg_match( '/^[0-9a-f-]{36}$/i', trim( (string) $given['shop'] ) ) ? strtolower( trim( (string) $given['shop'] ) ) : '',
			'mail' => empty( $given['mail'] ) ? 'no' : 'yes',
		);
	}

	public static function save() {
		if ( ! current_user_can( 'manage_woocommerce' ) ) {
			wp_die( esc_html__( 'You may not do this.', 'pinkas-for-woocommerce' ), 403 );
		}
		check_admin_referer( 'pinkas_save' );
		$kept = self::clean( wp_unslash( $_POST ), self::all() );
		update_option( self::OPTION, $kept, false );
		$checked = in_array( '', $kept, true ) ? null : Pinkas_Client::check();
		set_transient( self::CHECKED . get_current_user_id(), is_wp_error( $checked ) ? $checked->get_error_message() : ( null === $checked ? '' : true ), 60 );
		wp_safe_redirect( admin_url( 'admin.php?page=pinkas&saved=1' ) );
		exit;
	}

	/** What a person must still do, by field; nothing where all is there. */
	private static function lacks( $set ) {
		return array_filter(
			array(
				'url'  => '' === $set['url'] ? __( 'The address must begin with https://.', 'pinkas-for-woocommerce' ) : '',
				'shop' => '' === $set['shop'] ? __( 'The id of the store is what Pinkas shows under Setting up: 36 letters and digits.', 'pinkas-for-woocommerce' ) : '',
				'key'  => '' === $set['key'] ? __( 'Paste the key that was made in Pinkas.', 'pinkas-for-woocommerce' ) : '',
			)
		);
	}

	private static function notice( $kind, $words ) {
		printf( '<div class="notice notice-%s"><p>%s</p></div>', esc_attr( $kind ), esc_html( $words ) );
	}

	public static function page() {
		$set = self::all();
		$row = static function ( $name, $label, $value, $type = 'text', $hint = '' ) {
			printf(
				'<tr><th scope="row"><label for="pinkas-%1$s">%2$s</label></th><td><input class="regular-text code" dir="ltr" id="pinkas-%1$s" name="%1$s" type="%3$s" value="%4$s" autocomplete="off"><p class="description">%5$s</p></td></tr>',
				esc_attr( $name ),
				esc_html( $label ),
				esc_attr( $type ),
				esc_attr( $value ),
				esc_html( $hint )
			);
		};
		echo '<div class="wrap"><h1>Pinkas</h1>';
		if ( isset( $_GET['saved'] ) ) { // phpcs:ignore WordPress.Security.NonceVerification.Recommended
			self::notice( 'success', __( 'Saved.', 'pinkas-for-woocommerce' ) );
			foreach ( self::lacks( $set ) as $words ) {
				self::notice( 'error', $words );
			}
			$checked = get_transient( self::CHECKED . get_current_user_id() );
			if ( true === $checked || '1' === $checked ) {
				self::notice( 'success', __( 'Connected: Pinkas knows this store and its key may issue.', 'pinkas-for-woocommerce' ) );
			} elseif ( is_string( $checked ) && '' !== $checked ) {
				/* translators: why it is not. */
				self::notice( 'error', sprintf( __( 'Not connected: %s', 'pinkas-for-woocommerce' ), $checked ) );
			}
		}
		echo '<form method="post" action="' . esc_url( admin_url( 'admin-post.php' ) ) . '"><input type="hidden" name="action" value="pinkas_save">';
		wp_nonce_field( 'pinkas_save' );
		echo '<table class="form-table" role="presentation">';
		$row( 'url', __( 'Address', 'pinkas-for-woocommerce' ), $set['url'], 'url', 'https://' );
		$row( 'shop', __( 'Id of the store', 'pinkas-for-woocommerce' ), $set['shop'] );
		$row( 'key', __( 'Key', 'pinkas-for-woocommerce' ), '', 'password', '' === $set['key'] ? '' : __( 'A key is kept. Leave empty to keep it.', 'pinkas-for-woocommerce' ) );
		printf(
			'<tr><th scope="row">%1$s</th><td><label><input type="checkbox" name="mail" value="1" %2$s> %3$s</label></td></tr>',
			esc_html__( 'Mail', 'pinkas-for-woocommerce' ),
			'yes' === $set['mail'] ? 'checked' : '',
			esc_html__( 'Link the document in the mails of the order', 'pinkas-for-woocommerce' )
		);
		echo '</table><p><button class="button button-primary">' . esc_html__( 'Save', 'pinkas-for-woocommerce' ) . '</button> ';
		echo '<a class="button" href="' . esc_url( admin_url( 'admin.php?page=wc-status&tab=logs&source=pinkas' ) ) . '">' . esc_html__( 'Log', 'pinkas-for-woocommerce' ) . '</a></p></form></div>';
	}
}
